/* Positions packed into bytes, and queues in buckets: what both best-first searches stand on. */
#ifndef RAMPARTS_STORE_H
#define RAMPARTS_STORE_H

#include "complete.h"

#define BUCKETS 4096

typedef struct {
    uint32_t parent, move;
    uint16_t played; /* moves from the root */
    uint8_t expanded;
} Node;

typedef struct {
    Board board;
    Node *node;
    uint8_t *packed;
    int64_t node_n, node_room, packed_room;
    int size;
} Store;

/* Nodes are put in the order of their numbers, so one link a node is enough: each bucket is a list, last come first. */
typedef struct {
    uint32_t *below;         /* of each node, the next in its bucket; 0 ends it, n stands for node n - 1 */
    uint32_t *top;           /* of each bucket */
    int64_t room;
    int first;
} Queue;

static int packed_size(const Board *b) {
    const Game *g = b->game;
    int n = g->reserve_end + 2;
    for (int p = 0; p < g->reserve_end; p++) n += b->pile[p].n;
    return n + (g->turn ? 4 + b->talon_n * 3 : 0) + (g->has_down ? g->tableau : 0);
}

static void pack(const Board *b, uint8_t *to) {
    const Game *g = b->game;
    for (int p = 0; p < g->reserve_end; p++) {
        const Pile *pile = &b->pile[p];
        *to++ = pile->n;
        memcpy(to, pile->card, pile->n);
        to += pile->n;
    }
    *to++ = (uint8_t)b->redeals;
    *to++ = (uint8_t)(b->redeals >> 8);
    for (int p = 0; g->has_down && p < g->tableau; p++) *to++ = b->pile[p].down;
    if (!g->turn) return;
    *to++ = (uint8_t)b->talon_n;
    *to++ = (uint8_t)b->waste_n;
    *to++ = (uint8_t)b->passes;
    *to++ = (uint8_t)(b->passes >> 8);
    memcpy(to, b->talon, (size_t)b->talon_n);
    memcpy(to + b->talon_n, b->talon_id, (size_t)b->talon_n);
}

static void unpack(Board *b, const uint8_t *from) {
    const Game *g = b->game;
    b->key.a = b->key.b = b->up = 0;
    b->started = 0;
    b->left = g->cards;
    if (!g->dealt_base) b->base = 0;
    for (int p = 0; p < g->reserve_end; p++) {
        int n = *from++;
        b->pile[p].n = b->pile[p].down = 0;
        for (int i = 0; i < n; i++) {
            push(b, p, *from);
            if (is_foundation(g, p)) rise(b, *from);
            from++;
        }
    }
    b->redeals = from[0] | from[1] << 8;
    from += 2;
    for (int p = 0; g->has_down && p < g->tableau; p++) b->pile[p].down = *from++;
    for (int p = 0; p < g->reserve_end; p++) lay(b, p);
    if (!g->turn) return;
    b->talon_n = *from++;
    b->waste_n = *from++;
    b->passes = from[0] | from[1] << 8;
    from += 2;
    memcpy(b->talon, from, (size_t)b->talon_n);
    memcpy(b->talon_id, from + b->talon_n, (size_t)b->talon_n);
    b->talon_key.a = b->talon_key.b = 0;
    for (int i = 0; i < b->talon_n; i++) b->talon_key = plus(b->talon_key, g->talon_z[b->talon_id[i]]);
}

/* Keeps the board as a node; its number, or -1 if memory is at its end. */
static int64_t store_add(Store *s, uint32_t parent, uint32_t move, int played) {
    if (!room((void **)&s->node, &s->node_room, s->node_n + 1, sizeof(Node))) return -1;
    if (!room((void **)&s->packed, &s->packed_room, (s->node_n + 1) * s->size, 1)) return -1;
    Node node = {parent, move, (uint16_t)played, 0};
    s->node[s->node_n] = node;
    pack(&s->board, s->packed + s->node_n * s->size);
    return s->node_n++;
}

static void store_get(Store *s, int64_t node) { unpack(&s->board, s->packed + node * s->size); }

static int64_t store_line(const Store *s, int64_t node, uint32_t *out) {
    int64_t n = s->node[node].played;
    for (int64_t i = n; i > 0; i--) {
        out[i - 1] = s->node[node].move;
        node = s->node[node].parent;
    }
    return n;
}

static int queue_start(Queue *q) {
    q->first = BUCKETS;
    q->top = calloc(BUCKETS, sizeof(uint32_t));
    return q->top != NULL;
}

static int queue_put(Queue *q, int priority, uint32_t node) {
    if (priority < 0) priority = 0;
    if (priority >= BUCKETS) priority = BUCKETS - 1;
    if (!room((void **)&q->below, &q->room, (int64_t)node + 1, sizeof(uint32_t))) return 0;
    q->below[node] = q->top[priority];
    q->top[priority] = node + 1;
    if (priority < q->first) q->first = priority;
    return 1;
}

/* The node that was put last at the lowest priority; -1 from an empty queue. */
static int64_t queue_take(Queue *q) {
    while (q->first < BUCKETS && !q->top[q->first]) q->first++;
    if (q->first == BUCKETS) return -1;
    uint32_t node = q->top[q->first] - 1;
    q->top[q->first] = q->below[node];
    return node;
}

static void queue_free(Queue *q) {
    free(q->below);
    free(q->top);
}

static void store_free(Store *s) {
    free(s->board.pile);
    free(s->node);
    free(s->packed);
}

#endif
