/* Which moves a search tries: one only where it is safe or forced, otherwise all that lose nothing.
 *
 * The twin of solver/generation.py: the same moves in the same order, so that counts agree. */
#ifndef RAMPARTS_MOVES_H
#define RAMPARTS_MOVES_H

#include "board.h"

#define MOST_MOVES 8192

/* What a move generator may leave out. */
#define FORCE 1 /* any card that fits a started foundation goes there at once: loses wins */
#define WORRY 2 /* cards come back from the foundations */
#define CARRY 4 /* runs bounded by cells and spaces move as one; without it card by card */

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

/* The cards that could go up now if they were free. */
static inline uint64_t wanted_cards(const Board *b) {
    const Game *g = b->game;
    uint64_t wanted = 0;
    for (int f = g->tableau; f < g->foundation_end; f++) {
        const Pile *pile = &b->pile[f];
        int i = f - g->tableau;
        if (!pile->n) wanted |= g->starts[i][b->base];
        else if (pile->n < g->size[i]) wanted |= g->builds[i][pile->card[pile->n - 1]];
    }
    return wanted;
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
    uint64_t wanted = wanted_cards(b);
    for (int i = 0; i < many; i++) {
        const Source *s = &sources[i];
        if (!(wanted >> s->card & 1)) continue;
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
