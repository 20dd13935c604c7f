/* The board that all searches play on: piles with running hashes, moves made and unmade.
 *
 * The twin of solver/board.py. Which moves are worth trying is in moves.h. */
#ifndef RAMPARTS_BOARD_H
#define RAMPARTS_BOARD_H

#include "game.h"

typedef struct {
    uint8_t n, down;
    uint8_t card[MOST_CARDS];
    Key hash[MOST_CARDS + 1];
} Pile;

typedef struct {
    const Game *game;
    const uint8_t *code;
    Pile *pile; /* as many as the game has: most of them are never written to their end */
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

#endif
