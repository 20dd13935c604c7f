/* The finder of wins: best first, several queues taking turns over one store. What it finds is a line of play; that it
 * finds none proves nothing unless nothing was left out.
 *
 * The twin of solver/streamlined.py. */
#ifndef RAMPARTS_STREAMLINED_H
#define RAMPARTS_STREAMLINED_H

#include "measures.h"
#include "store.h"

#define QUEUES 4

typedef struct {
    Store store;
    Seen seen;
    Queue queue[QUEUES];
    int64_t states, arrivals, won;
    int turn, status, mode, queues;
    int weight[8 * QUEUES]; /* eight a queue */
} Streamlined;

static int streamlined_keep(Streamlined *s, uint32_t parent, uint32_t move, int played) {
    int64_t node = store_add(&s->store, parent, move, played);
    if (node < 0) return 0;
    s->states++;
    if (!s->store.board.left) {
        s->won = node;
        s->status = WON;
    }
    Measures m = measure(&s->store.board);
    for (int q = 0; q < s->queues; q++) {
        const int *w = s->weight + q * 8;
        int priority = w[0] + w[1] * m.left + w[2] * m.own + w[3] * m.lower + w[4] * m.loose - w[5] * m.free +
                       w[6] * m.cover + w[7] * played;
        if (!queue_put(&s->queue[q], priority, (uint32_t)node)) return 0;
    }
    return 1;
}

static int streamlined_start(Streamlined *s) {
    s->won = -1;
    s->store.size = packed_size(&s->store.board);
    for (int q = 0; q < s->queues; q++)
        if (!queue_start(&s->queue[q])) return 0;
    return seen_start(&s->seen) && seen_add(&s->seen, whole_key(&s->store.board)) == 1 &&
           streamlined_keep(s, 0, 0, 0);
}

static int streamlined_step(Streamlined *s) {
    uint32_t moves[MOST_MOVES];
    Key after[MOST_MOVES];
    Board *b = &s->store.board;
    int64_t node;
    do {
        node = queue_take(&s->queue[s->turn]);
        if (node < 0) {
            s->status = EXHAUSTED;
            return 1;
        }
    } while (s->store.node[node].expanded);
    s->store.node[node].expanded = 1;
    s->turn = (s->turn + 1) % s->queues;
    store_get(&s->store, node);
    int played = s->store.node[node].played + 1, n = list_moves(b, moves, s->mode);
    if (played > 65000) return 1;
    list_keys(b, s->seen.slot, s->seen.mask, moves, after, n);
    for (int i = 0; i < n && s->status == OPEN; i++) {
        s->arrivals++;
        int redealt = moves[i] == REDEAL, plain = after[i].a || after[i].b, fresh;
        if (plain) {
            fresh = seen_add(&s->seen, after[i]);
            if (fresh < 0) return 0;
            if (!fresh) continue;
        }
        Undo undo = make(b, moves[i]);
        fresh = plain ? 1 : seen_add(&s->seen, whole_key(b));
        if (fresh < 0 || (fresh && !streamlined_keep(s, (uint32_t)node, moves[i], played))) return 0;
        if (redealt) store_get(&s->store, node);
        else unmake(b, &undo);
    }
    return 1;
}

static int streamlined_run(Streamlined *s, int64_t states) {
    while (s->status == OPEN && s->states < states)
        if (!streamlined_step(s)) s->status = FULL;
    return s->status;
}

static void streamlined_free(Streamlined *s) {
    for (int q = 0; q < QUEUES; q++) queue_free(&s->queue[q]);
    free(s->seen.slot);
    store_free(&s->store);
}

#endif
