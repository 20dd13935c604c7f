/* The board that both searches play on: piles with running hashes, moves made and unmade, moves generated.
 *
 * The twin of solver/board.py: the same moves in the same order, so that node counts agree. Piles are numbered as in
 * rules.tables: tableau, foundations, cells, reserve; the talon (stock and waste) is kept apart. */
#ifndef RAMPARTS_BOARD_H
#define RAMPARTS_BOARD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PILES 128
#define MOST_CARDS 112
#define MOST_MOVES 8192

/* What a move generator may leave out. */
#define FORCE 1 /* any card that fits a started foundation goes there at once: loses wins */
#define WORRY 2 /* cards come back from the foundations */
#define CARRY 4 /* runs bounded by cells and spaces move as one; without it card by card */

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
    Key z[64], salt[MOST_PILES], talon_z[64], down_z[64];
} Game;

typedef struct {
    uint8_t n, down;
    uint8_t card[MOST_CARDS];
    Key hash[MOST_CARDS + 1];
} Pile;

typedef struct {
    const Game *game;
    const uint8_t *code;
    Pile pile[MOST_PILES];
    uint8_t talon[64], talon_id[64]; /* waste bottom to top, then the stock in the order of turning */
    int talon_n, waste_n, passes, redeals;
    int base, started, left;
    uint64_t up; /* cards on the foundations, for one deck */
    Key key, talon_key;
} Board;

typedef struct {
    uint32_t move;
    uint8_t flipped, waste_n, talon_id;
    int passes;
} Undo;

/* source | target << 8 | count << 16 | actions of the talon << 24; a redeal has source and target 255 */
#define SOURCE(m) ((m) & 255)
#define TARGET(m) ((m) >> 8 & 255)
#define COUNT(m) ((m) >> 16 & 255)
#define DRAWS(m) ((m) >> 24)
#define MOVE(s, t, k, d) ((uint32_t)(s) | (uint32_t)(t) << 8 | (uint32_t)(k) << 16 | (uint32_t)(d) << 24)
#define REDEAL 0xffffu
#define WASTE 254

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

static inline uint8_t code_of(const Board *b, int p, int card) {
    return is_foundation(b->game, p) ? b->game->foundation_code[card] : b->code[card];
}

/* What a pile of this content adds to the key of the board; an empty one adds nothing. */
static inline Key worth(const Board *b, int p, int n, Key hash) {
    static const Key nothing = {0, 0};
    if (!n) return nothing;
    if (b->pile[p].down) return chained(hash, b->game->down_z[b->pile[p].down]);
    return hash;
}

static inline void push(Board *b, int p, int card) {
    Pile *pile = &b->pile[p];
    pile->card[pile->n] = (uint8_t)card;
    pile->hash[pile->n + 1] = chained(pile->hash[pile->n], b->game->z[code_of(b, p, card)]);
    pile->n++;
}

/* Call `lift` before a pile changes and `lay` after it, so that the board's key follows. */
static inline void lift(Board *b, int p) { b->key = minus(b->key, worth(b, p, b->pile[p].n, b->pile[p].hash[b->pile[p].n])); }
static inline void lay(Board *b, int p) { b->key = plus(b->key, worth(b, p, b->pile[p].n, b->pile[p].hash[b->pile[p].n])); }

static inline int position_matters(const Game *g) { return g->turn && !(g->turn == 1 && g->passes < 0); }

/* The talon's part of the key, without the cards' own part. */
static inline Key talon_place(const Board *b) {
    static const Key nothing = {0, 0};
    const Game *g = b->game;
    if (!position_matters(g)) return nothing;
    Key k = chained(g->z[63], number_key(b->waste_n));
    return g->passes < 0 ? k : chained(k, number_key(b->passes));
}

static inline Key redeal_place(const Board *b) {
    static const Key nothing = {0, 0};
    return b->game->redeals > 0 ? chained(b->game->z[62], number_key(b->redeals)) : nothing;
}

static inline Key whole_key(const Board *b) {
    Key k = b->key;
    if (b->game->turn) k = plus(k, plus(b->talon_key, talon_place(b)));
    if (b->game->redeals > 0) k = plus(k, redeal_place(b));
    return k;
}

static inline void rise(Board *b, int card) {
    const Game *g = b->game;
    if (g->chosen == 1 && !b->started && !g->dealt_base) b->base = card % 13 + 1;
    b->started++;
    b->up |= 1ull << card;
    b->left--;
}

static inline void sink(Board *b, int card) {
    const Game *g = b->game;
    b->started--;
    if (g->chosen == 1 && !b->started && !g->dealt_base) b->base = 0;
    b->up &= ~(1ull << card);
    b->left++;
}

/* Draws and turnings-over only: the place in the talon after one action, or 0 if there is none. */
static inline int draw_once(const Game *g, int talon_n, int *waste_n, int *passes) {
    if (*waste_n < talon_n) {
        *waste_n = *waste_n + g->turn < talon_n ? *waste_n + g->turn : talon_n;
        return 1;
    }
    if (!talon_n || (g->passes >= 0 && *passes + 1 >= g->passes)) return 0;
    *waste_n = 0;
    ++*passes;
    return 1;
}

static void redeal(Board *b);

static inline Undo make(Board *b, uint32_t m) {
    const Game *g = b->game;
    Undo u = {m, 0, (uint8_t)b->waste_n, 0, b->passes};
    if ((m & 0xffff) == REDEAL) {
        redeal(b);
        return u;
    }
    int s = SOURCE(m), t = TARGET(m), k = COUNT(m);
    Pile *target = &b->pile[t];
    if (s == WASTE) {
        for (unsigned d = DRAWS(m); d; d--) draw_once(g, b->talon_n, &b->waste_n, &b->passes);
        int at = --b->waste_n, card = b->talon[at];
        u.talon_id = b->talon_id[at];
        b->talon_key = minus(b->talon_key, g->talon_z[u.talon_id]);
        b->talon_n--;
        memmove(b->talon + at, b->talon + at + 1, (size_t)(b->talon_n - at));
        memmove(b->talon_id + at, b->talon_id + at + 1, (size_t)(b->talon_n - at));
        lift(b, t);
        push(b, t, card);
        lay(b, t);
        if (is_foundation(g, t)) rise(b, card);
        return u;
    }
    Pile *source = &b->pile[s];
    lift(b, s);
    lift(b, t);
    source->n -= (uint8_t)k;
    for (int i = 0; i < k; i++) push(b, t, source->card[source->n + i]);
    if (source->down && source->down == source->n) {
        source->down--;
        u.flipped = 1;
    }
    lay(b, s);
    lay(b, t);
    if (is_foundation(g, t)) rise(b, target->card[target->n - 1]);
    if (is_foundation(g, s)) sink(b, target->card[target->n - 1]);
    return u;
}

/* Takes back the last move; a redeal is taken back by its caller, who kept the tableau. */
static inline void unmake(Board *b, const Undo *u) {
    const Game *g = b->game;
    uint32_t m = u->move;
    int s = SOURCE(m), t = TARGET(m), k = COUNT(m);
    Pile *target = &b->pile[t];
    if (s == WASTE) {
        lift(b, t);
        int card = target->card[--target->n];
        lay(b, t);
        if (is_foundation(g, t)) sink(b, card);
        int at = b->waste_n;
        memmove(b->talon + at + 1, b->talon + at, (size_t)(b->talon_n - at));
        memmove(b->talon_id + at + 1, b->talon_id + at, (size_t)(b->talon_n - at));
        b->talon[at] = (uint8_t)card;
        b->talon_id[at] = u->talon_id;
        b->talon_n++;
        b->talon_key = plus(b->talon_key, g->talon_z[u->talon_id]);
        b->waste_n = u->waste_n;
        b->passes = u->passes;
        return;
    }
    Pile *source = &b->pile[s];
    if (is_foundation(g, t)) sink(b, target->card[target->n - 1]);
    if (is_foundation(g, s)) rise(b, target->card[target->n - 1]);
    lift(b, s);
    lift(b, t);
    if (u->flipped) source->down++;
    target->n -= (uint8_t)k;
    for (int i = 0; i < k; i++) push(b, s, target->card[target->n + i]);
    lay(b, s);
    lay(b, t);
}

/* The key of the board after a move between piles that turns nothing up; others are made and unmade. */
static inline int is_plain(const Board *b, uint32_t m) {
    int s = SOURCE(m);
    return s < WASTE && COUNT(m) == 1 && !b->pile[s].down;
}

static inline Key key_after(const Board *b, uint32_t m) {
    int s = SOURCE(m), t = TARGET(m);
    const Pile *source = &b->pile[s], *target = &b->pile[t];
    int card = source->card[source->n - 1];
    Key k = whole_key(b);
    k = minus(k, source->hash[source->n]);
    if (source->n > 1) k = plus(k, source->hash[source->n - 1]);
    k = minus(k, worth(b, t, target->n, target->hash[target->n]));
    Key onto = chained(target->hash[target->n], b->game->z[code_of(b, t, card)]);
    return plus(k, worth(b, t, target->n + 1, onto));
}

static void redeal(Board *b) {
    const Game *g = b->game;
    uint8_t order[MOST_CARDS];
    int n = 0;
    for (int p = 0; p < g->tableau; p++) {
        Pile *pile = &b->pile[p];
        for (int i = 0; i < pile->n; i++) order[n++] = pile->card[g->top_first ? pile->n - 1 - i : i];
        lift(b, p);
        pile->n = 0;
    }
    int extra = n > g->packet * g->tableau ? n - g->packet * g->tableau : 0, start = 0;
    for (int p = 0; p < g->tableau; p++) {
        int size = g->packet + extra / g->tableau + (p < extra % g->tableau);
        if (size > n - start) size = n - start;
        for (int i = 0; i < size; i++) push(b, p, order[start + (g->top_first ? size - 1 - i : i)]);
        start += size;
        lay(b, p);
    }
    b->redeals++;
}

/* The foundation that takes a card, from `f` on; of foundations that stand alike only the first. -1 for none. */
static inline int next_foundation(const Board *b, int card, int f) {
    const Game *g = b->game;
    uint64_t bit = 1ull << card;
    for (; f < g->foundation_end; f++) {
        const Pile *pile = &b->pile[f];
        int i = f - g->tableau;
        if (!pile->n) {
            if (!(g->starts[i][b->base] & bit)) continue;
        } else if (pile->n >= g->size[i] || !(g->builds[i][pile->card[pile->n - 1]] & bit)) {
            continue;
        }
        int alike = 0;
        for (int e = f - 1; e >= g->tableau && g->group[e - g->tableau] == g->group[i] && !alike; e--) {
            const Pile *other = &b->pile[e];
            alike = other->n == pile->n && (!pile->n ? g->starts[e - g->tableau][b->base] & bit
                                                     : g->foundation_code[other->card[other->n - 1]] ==
                                                           g->foundation_code[pile->card[pile->n - 1]]) != 0;
        }
        if (!alike) return f;
    }
    return -1;
}

static inline int level(const Board *b) {
    int low = 99;
    for (int f = b->game->tableau; f < b->game->foundation_end; f++)
        if (b->pile[f].n < low) low = b->pile[f].n;
    return low;
}

/* Going up now can't lose a win nor cost a move. The reasons stand in docs/solver.md. */
static inline int is_safe(const Board *b, int card, int f) {
    const Game *g = b->game;
    int rank = card % 13 + 1;
    switch (g->safe) {
    case SAFE_ALWAYS: return 1;
    case SAFE_BUT_BASE: return b->pile[f].n > 0;
    case SAFE_ANY: return level(b) >= rank - 2;
    case SAFE_LEVEL: return level(b) >= rank - 1;
    case SAFE_UNBUILT:
        if (!b->pile[f].n && g->chosen && !g->dealt_base) return 0;
        return !(g->holds[card] & ~b->up);
    case SAFE_ALT:
        for (int other = 0; other < 4; other++) {
            int far = (other >> 1) == (card / 13 >> 1) ? 3 : 2;
            if (b->pile[g->tableau + other].n < rank - far) return 0;
        }
        return 1;
    default: return 0;
    }
}

/* Whether the foundation is chosen by playing this card: then it is not forced. */
static inline int is_choice(const Board *b, int f) {
    return b->game->chosen && !b->pile[f].n && (b->game->chosen == 2 || !b->base);
}

typedef struct {
    int pile, card, draws;
} Source;

/* Every single card that may move: ends of tableau piles, cells, reserve, then what the talon can turn up. */
static inline int list_sources(const Board *b, Source *out) {
    const Game *g = b->game;
    int n = 0;
    for (int p = 0; p < g->reserve_end; p++) {
        if (p == g->tableau) p = g->foundation_end;
        if (p >= g->reserve_end) break;
        const Pile *pile = &b->pile[p];
        if (pile->n) out[n++] = (Source){p, pile->card[pile->n - 1], 0};
    }
    if (!g->turn || !b->talon_n) return n;
    int waste_n = b->waste_n, passes = b->passes;
    uint64_t seen = 0;
    for (int draws = 0; draws < 255; draws++) {
        if (seen >> waste_n & 1) break; /* the same card again, with fewer passes left */
        seen |= 1ull << waste_n;
        if (waste_n) out[n++] = (Source){WASTE, b->talon[waste_n - 1], draws};
        if (!draw_once(g, b->talon_n, &waste_n, &passes)) break;
    }
    return n;
}

static inline int may_force(const Board *b, const Source *s) {
    if (s->pile != WASTE) return 1;
    return b->game->turn == 1 && (!s->draws || b->game->passes < 0);
}

static inline uint32_t from(const Source *s, int target) { return MOVE(s->pile, target, 1, s->draws); }

static inline int first_space(const Board *b) {
    for (int p = 0; p < b->game->tableau; p++)
        if (!b->pile[p].n) return p;
    return -1;
}

static inline int list_runs(const Board *b, uint32_t *out, int n) {
    const Game *g = b->game;
    int spaces = 0, free_cells = 1, space = first_space(b);
    for (int p = 0; p < g->tableau; p++) spaces += !b->pile[p].n;
    for (int p = g->foundation_end; p < g->cell_end; p++) free_cells += !b->pile[p].n;
    for (int s = 0; s < g->tableau; s++) {
        const Pile *pile = &b->pile[s];
        int down = 1, up = 1;
        for (int k = 2; k <= pile->n - pile->down; k++) {
            int under = pile->card[pile->n - k], over = pile->card[pile->n - k + 1];
            down = down && g->links_down[under] >> over & 1;
            up = up && g->links_up[under] >> over & 1;
            if (!down && !up) break;
            for (int t = 0; t < g->tableau; t++) {
                const Pile *target = &b->pile[t];
                if (t == s || (g->cap && target->n + k > g->cap)) continue;
                if (!target->n) {
                    if ((t != space && !g->ordered) || g->one_to_space || (k == pile->n && !g->ordered)) continue;
                    if (!(g->fills[b->base] >> under & 1)) continue;
                } else if (!(g->takes[under] >> target->card[target->n - 1] & 1)) {
                    continue;
                }
                if (g->bounded && k > (g->space_any ? free_cells << (spaces - !target->n) : free_cells)) continue;
                out[n++] = MOVE(s, t, k, 0);
            }
        }
    }
    return n;
}

/* The moves worth trying: one only if it is safe, or forced; otherwise all that lose nothing. */
static int list_moves(const Board *b, uint32_t *out, int mode) {
    const Game *g = b->game;
    Source sources[512];
    int many = list_sources(b, sources), n = 0;
    for (int i = 0; i < many; i++) {
        const Source *s = &sources[i];
        for (int f = next_foundation(b, s->card, g->tableau); f >= 0; f = next_foundation(b, s->card, f + 1)) {
            int choice = is_choice(b, f);
            if (may_force(b, s) && ((mode & FORCE && !choice) || is_safe(b, s->card, f))) {
                out[0] = from(s, f);
                return 1;
            }
            out[n++] = from(s, f);
        }
    }
    int space = first_space(b), cell = -1;
    for (int p = g->foundation_end; p < g->cell_end && cell < 0; p++)
        if (!b->pile[p].n) cell = p;
    uint64_t ends = 0;
    for (int p = 0; p < g->tableau; p++)
        if (b->pile[p].n) ends |= 1ull << b->pile[p].card[b->pile[p].n - 1];
    for (int i = 0; i < many; i++) {
        const Source *s = &sources[i];
        if (!(g->takes[s->card] & ends)) continue;
        for (int t = 0; t < g->tableau; t++) {
            const Pile *target = &b->pile[t];
            if (t == s->pile || !target->n || (g->cap && target->n >= g->cap)) continue;
            if (g->takes[s->card] >> target->card[target->n - 1] & 1) out[n++] = from(s, t);
        }
    }
    if (g->lifts && (mode & CARRY || !g->bounded)) n = list_runs(b, out, n);
    for (int i = 0; i < many && space >= 0; i++) {
        const Source *s = &sources[i];
        if (!(g->fills[b->base] >> s->card & 1)) continue;
        if (s->pile < g->tableau && b->pile[s->pile].n == 1 && !g->ordered) continue;
        for (int t = space; t < g->tableau; t++) {
            if (b->pile[t].n || t == s->pile) continue;
            out[n++] = from(s, t);
            if (!g->ordered) break;
        }
    }
    for (int i = 0; i < many && cell >= 0; i++)
        if (sources[i].pile < g->tableau || sources[i].pile >= g->cell_end) out[n++] = from(&sources[i], cell);
    for (int f = g->tableau; mode & WORRY && f < g->foundation_end; f++) {
        const Pile *pile = &b->pile[f];
        if (!g->worry[f - g->tableau] || !pile->n) continue;
        int card = pile->card[pile->n - 1], filled = 0;
        for (int t = 0; t < g->tableau; t++) {
            const Pile *target = &b->pile[t];
            if (g->cap && target->n >= g->cap) continue;
            if (target->n ? g->takes[card] >> target->card[target->n - 1] & 1
                          : (!filled || g->ordered) && g->fills[b->base] >> card & 1) {
                filled |= !target->n;
                out[n++] = MOVE(f, t, 1, 0);
            }
        }
    }
    if (g->packet && (g->redeals < 0 || b->redeals < g->redeals) && !(g->only_blocked && n)) {
        int any = 0;
        for (int p = 0; p < g->tableau && !any; p++) any = b->pile[p].n;
        if (any) out[n++] = REDEAL;
    }
    return n;
}

#endif
