/* Par: A* over all positions, with a bound that never says too much. The twin of solver/shortest.py. */
#ifndef RAMPARTS_SHORTEST_H
#define RAMPARTS_SHORTEST_H

#include "measures.h"
#include "store.h"

/* Which node stands for a key. */
typedef struct {
    Key *key;
    uint32_t *node;
    uint64_t mask, used;
} Index;

typedef struct {
    Store store;
    Index index;
    Queue queue;
    int64_t states, arrivals, won;
    int status, weight, most, bound;
} Shortest;

static int index_start(Index *x, uint64_t mask) {
    x->mask = mask;
    x->used = 0;
    x->key = slots(mask + 1);
    x->node = malloc((mask + 1) * sizeof(uint32_t));
    return x->key && x->node;
}

static uint64_t index_find(const Index *x, Key k) {
    uint64_t at = k.a & x->mask;
    while ((x->key[at].a || x->key[at].b) && (x->key[at].a != k.a || x->key[at].b != k.b)) at = (at + 1) & x->mask;
    return at;
}

static int index_grow(Index *x) {
    Index bigger;
    if (!index_start(&bigger, x->mask * 2 + 1)) return 0;
    for (uint64_t i = 0; i <= x->mask; i++) {
        if (!x->key[i].a && !x->key[i].b) continue;
        uint64_t at = index_find(&bigger, x->key[i]);
        bigger.key[at] = x->key[i];
        bigger.node[at] = x->node[i];
    }
    bigger.used = x->used;
    free(x->key);
    free(x->node);
    *x = bigger;
    return 1;
}

/* Cards that lie above no lower one of their suit, by number in one word: which of them are of a suit and above an order,
 * and which lie over a card of a suit that is below an order. */
typedef struct {
    uint64_t above[4][14], over[4][14];
} Waiting;

static inline void wait_for(Waiting *w, int number, int suit, int order, const int8_t *low) {
    uint64_t bit = 1ull << number;
    for (int o = 0; o < order; o++) w->above[suit][o] |= bit;
    for (int s = 0; s < 4; s++)
        for (int o = low[s] + 1; o < 14; o++) w->over[s][o] |= bit;
}

/* No line is shorter: cards left, each card above a lower one of its suit, and pairs of waiting cards that lock each
 * other, no card in two pairs. Where runs move as one, a pile counts once at most. Sources: docs/solver.md. */
static int least_moves(const Board *b) {
    const Game *g = b->game;
    struct {
        int8_t suit, order, low[4];
        uint64_t others; /* in other piles, further on */
    } card[64];
    int least = b->left, n = 0;
    if (!g->one_each || g->groups > 1) return least;
    Waiting w = {0};
    Orders orders = orders_of(b);
    for (int p = 0; p < g->reserve_end; p++) {
        if (p == g->tableau) p = g->cell_end;
        if (p >= g->reserve_end) break;
        const Pile *pile = &b->pile[p];
        int8_t low[4] = {99, 99, 99, 99};
        int own = 0, first = n;
        for (int i = 0; i < pile->n; i++) {
            int8_t suit = (int8_t)(pile->card[i] / 13), order = orders.of[suit][pile->card[i]];
            if (order < 0) continue;
            if (low[suit] < order) {
                own++;
                continue;
            }
            if (i && !g->lifts) {
                wait_for(&w, n, suit, order, low);
                card[n].suit = suit;
                card[n].order = order;
                memcpy(card[n++].low, low, sizeof low);
            }
            low[suit] = order;
        }
        for (int i = first; i < n; i++) card[i].others = ~0ull << (n - 1) << 1;
        least += g->lifts && own ? 1 : own;
    }
    uint64_t free_cards = ~0ull;
    for (int i = 0; i < n; i++) {
        if (!(free_cards >> i & 1)) continue;
        uint64_t locked = 0;
        for (int s = 0; s < 4; s++)
            if (card[i].low[s] < 14) locked |= w.above[s][card[i].low[s]];
        locked &= w.over[card[i].suit][card[i].order] & card[i].others & free_cards;
        if (!locked) continue;
        free_cards &= ~(locked & (0 - locked));
        least++;
    }
    return least;
}

static int shortest_keep(Shortest *s, uint64_t at, uint32_t parent, uint32_t move, int played) {
    int least = least_moves(&s->store.board);
    if (played + least >= s->most) return 1;
    int64_t node = store_add(&s->store, parent, move, played);
    if (node < 0) return 0;
    s->states++;
    s->index.node[at] = (uint32_t)node;
    return queue_put(&s->queue, (4 * played + s->weight * least) / (s->weight == 4 ? 4 : 1), (uint32_t)node);
}

/* Room for a key that is new, or was reached by more moves: where it lies in the index; -2 if it is not better. */
static int64_t shortest_place(Shortest *s, Key k, int played) {
    if (s->index.used * 3 > s->index.mask * 2 && !index_grow(&s->index)) return -1;
    uint64_t at = index_find(&s->index, k);
    if (s->index.key[at].a || s->index.key[at].b) {
        uint32_t node = s->index.node[at];
        if (node != UINT32_MAX && s->store.node[node].played <= played) return -2;
        if (node != UINT32_MAX) s->store.node[node].expanded = 1;
        return (int64_t)at;
    }
    s->index.key[at] = k;
    s->index.node[at] = UINT32_MAX;
    s->index.used++;
    return (int64_t)at;
}

static int shortest_start(Shortest *s) {
    s->won = -1;
    s->store.size = packed_size(&s->store.board);
    if (!queue_start(&s->queue) || !index_start(&s->index, (1u << 10) - 1)) return 0;
    s->bound = least_moves(&s->store.board);
    int64_t at = shortest_place(s, nonzero(whole_key(&s->store.board)), 0);
    return at >= 0 && shortest_keep(s, (uint64_t)at, 0, 0, 0);
}

static int shortest_expand(Shortest *s, int64_t node) {
    uint32_t moves[MOST_MOVES];
    Key after[MOST_MOVES];
    Board *b = &s->store.board;
    store_get(&s->store, node);
    if (!b->left) {
        s->won = node;
        s->status = WON;
        return 1;
    }
    int played = s->store.node[node].played + 1, n = list_moves(b, moves, WORRY | CARRY);
    if (played > 60000) return 1;
    list_keys(b, s->index.key, s->index.mask, moves, after, n);
    for (int i = 0; i < n; i++) {
        s->arrivals++;
        int redealt = moves[i] == REDEAL, plain = after[i].a || after[i].b;
        int64_t at = -1;
        if (plain) {
            at = shortest_place(s, after[i], played);
            if (at == -1) return 0;
            if (at == -2) continue;
        }
        Undo undo = make(b, moves[i]);
        if (!plain) at = shortest_place(s, nonzero(whole_key(b)), played);
        if (at == -1 || (at >= 0 && !shortest_keep(s, (uint64_t)at, (uint32_t)node, moves[i], played))) return 0;
        if (redealt) store_get(&s->store, node);
        else unmake(b, &undo);
    }
    return 1;
}

static int shortest_step(Shortest *s) {
    int64_t node;
    do {
        node = queue_take(&s->queue);
        if (node < 0) {
            s->status = EXHAUSTED;
            return 1;
        }
    } while (s->store.node[node].expanded);
    if (s->weight == 4 && s->queue.first > s->bound) s->bound = s->queue.first;
    s->store.node[node].expanded = 1;
    return shortest_expand(s, node);
}

static int shortest_run(Shortest *s, int64_t states) {
    while (s->status == OPEN && s->states < states)
        if (!shortest_step(s)) s->status = FULL;
    return s->status;
}

static void shortest_free(Shortest *s) {
    queue_free(&s->queue);
    free(s->index.key);
    free(s->index.node);
    store_free(&s->store);
}

#endif
