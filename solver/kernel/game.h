/* The rules of a variant as the kernel reads them, and the hashes that keys of positions are made of.
 *
 * The twin of Game in solver/games.py. Piles are numbered as in rules.tables: tableau, foundations, cells, reserve; the
 * talon (stock and waste) is kept apart. */
#ifndef RAMPARTS_GAME_H
#define RAMPARTS_GAME_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PILES 128
#define MOST_CARDS 112

enum { SAFE_NEVER, SAFE_ALWAYS, SAFE_BUT_BASE, SAFE_ANY, SAFE_ALT, SAFE_LEVEL, SAFE_UNBUILT };

typedef struct {
    uint64_t a, b;
} Key;

typedef struct {
    int piles, tableau, foundation_end, cell_end, reserve_end;
    int lifts, bounded, space_any, one_to_space, cap, ordered;
    int turn, passes;
    int packet, top_first, redeals, only_blocked;
    int safe, groups, cards, chosen, dealt_base, has_down, first_rank, one_each;
    int size[16], worry[16], group[16];
    uint64_t takes[52]; /* takes[c]: the cards that c may be placed on */
    uint64_t holds[52]; /* holds[c]: the cards that may be placed on c */
    uint64_t links_down[52], links_up[52];
    uint64_t fills[14];
    uint64_t starts[16][14], builds[16][52];
    uint8_t code[52];            /* what tells two tableau cards apart in a key */
    uint8_t exact[52];
    uint8_t foundation_code[52]; /* likewise on the foundations */
    int8_t order[14][52];        /* a card's place on its foundation by the base's rank, -1 while that is open */
    Key z[64], salt[MOST_PILES], talon_z[64], down_z[64];
} Game;

static inline uint64_t mixed(uint64_t x, uint64_t m) {
    x *= m;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    return x ^ x >> 29;
}

static inline Key chained(Key h, Key z) {
    Key next = {mixed(h.a ^ z.a, 0x9e3779b97f4a7c15ull), mixed(h.b + z.b, 0xc2b2ae3d27d4eb4full)};
    return next;
}

static inline Key number_key(int number) {
    Key key = {(uint64_t)number * 0xa0761d6478bd642full, (uint64_t)number * 0xe7037ed1a0b428dbull};
    return key;
}

static inline Key plus(Key x, Key y) {
    Key sum = {x.a + y.a, x.b + y.b};
    return sum;
}

static inline Key minus(Key x, Key y) {
    Key difference = {x.a - y.a, x.b - y.b};
    return difference;
}

static inline int is_foundation(const Game *g, int p) { return p >= g->tableau && p < g->foundation_end; }

static inline int position_matters(const Game *g) { return g->turn && !(g->turn == 1 && g->passes < 0); }

#endif
