/* What the queues of the streamlined search weigh, and the order of cards on their foundations.
 *
 * The twin of solver/measures.py. */
#ifndef RAMPARTS_MEASURES_H
#define RAMPARTS_MEASURES_H

#include "moves.h"

/* For each suit, the place of every card on its foundation; -1 while that is open. */
typedef struct {
    const int8_t *of[4];
} Orders;

static inline Orders orders_of(const Board *b) {
    const Game *g = b->game;
    Orders orders;
    for (int suit = 0; suit < 4; suit++) {
        int base = b->base;
        if (g->chosen == 2) {
            const Pile *own = &b->pile[g->tableau + suit];
            base = own->n ? own->card[0] % 13 + 1 : 0;
        }
        orders.of[suit] = g->order[base];
    }
    return orders;
}

typedef struct {
    int left, own, lower, loose, free, cover;
} Measures;

static Measures measure(const Board *b) {
    const Game *g = b->game;
    Measures m = {b->left, 0, 0, 0, 0, 0};
    Orders orders = orders_of(b);
    uint64_t wanted = wanted_cards(b);
    for (int p = 0; p < g->reserve_end; p++) {
        if (p == g->tableau) p = g->foundation_end;
        if (p >= g->reserve_end) break;
        const Pile *pile = &b->pile[p];
        if (!pile->n) {
            if (p < g->tableau) m.free += 2;
            else if (p < g->cell_end) m.free++;
            continue;
        }
        int lowest = 99, low[4] = {99, 99, 99, 99};
        for (int i = 0; i < pile->n; i++) {
            int card = pile->card[i], suit = card / 13, order = orders.of[suit][card];
            if (order >= 0) {
                m.own += low[suit] < order;
                m.lower += lowest < order;
                if (order < low[suit]) low[suit] = order;
                if (order < lowest) lowest = order;
            }
            if (i && p < g->tableau) m.loose += !(g->takes[card] >> pile->card[i - 1] & 1);
            if (wanted >> card & 1) m.cover += pile->n - 1 - i;
        }
    }
    return m;
}

#endif
