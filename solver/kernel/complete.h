/* The proof of a loss: depth first over every position that can't be shown to be as good as another.
 *
 * The twin of solver/complete.py. Positions met are kept as 128-bit keys in an open table: 16 bytes each. */
#ifndef RAMPARTS_COMPLETE_H
#define RAMPARTS_COMPLETE_H

#include "moves.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#define HUGE_PAGE (2u << 20)

enum { OPEN, WON, EXHAUSTED, FULL };

typedef struct {
    Key *slot;
    uint64_t mask, used;
} Seen;

/* Empty slots, in huge pages where there are many and the system has them: each look-up is a miss of the caches, and
 * without them a miss of the page tables too. */
static Key *slots(uint64_t n) {
#ifdef MADV_HUGEPAGE
    size_t bytes = n * sizeof(Key);
    void *at;
    if (bytes >= HUGE_PAGE) {
        if (posix_memalign(&at, HUGE_PAGE, bytes)) return NULL;
        madvise(at, bytes, MADV_HUGEPAGE);
        return memset(at, 0, bytes);
    }
#endif
    return calloc(n, sizeof(Key));
}

static int seen_start(Seen *s) {
    s->mask = (1u << 10) - 1;
    s->used = 0;
    s->slot = slots(s->mask + 1);
    return s->slot != NULL;
}

static inline Key nonzero(Key k) {
    if (!k.a && !k.b) k.b = 1;
    return k;
}

static int seen_grow(Seen *s) {
    uint64_t mask = s->mask * 2 + 1;
    Key *slot = slots(mask + 1);
    if (!slot) return 0;
    for (uint64_t i = 0; i <= s->mask; i++) {
        Key k = s->slot[i];
        if (!k.a && !k.b) continue;
        uint64_t at = k.a & mask;
        while (slot[at].a || slot[at].b) at = (at + 1) & mask;
        slot[at] = k;
    }
    free(s->slot);
    s->slot = slot;
    s->mask = mask;
    return 1;
}

/* Key slots are far apart in memory: asked for as soon as a key is known, they are there when it is looked up. */
static inline void fetch_slot(const Key *slot, uint64_t mask, Key k) {
#ifdef __GNUC__
    __builtin_prefetch(&slot[k.a & mask], 1);
#endif
}

/* 1 if the key is new, 0 if it was there, -1 if memory is at its end. */
static inline int seen_add(Seen *s, Key k) {
    k = nonzero(k);
    if (s->used * 3 > s->mask * 2 && !seen_grow(s)) return -1;
    uint64_t at = k.a & s->mask;
    while (s->slot[at].a || s->slot[at].b) {
        if (s->slot[at].a == k.a && s->slot[at].b == k.b) return 0;
        at = (at + 1) & s->mask;
    }
    s->slot[at] = k;
    s->used++;
    return 1;
}

typedef struct {
    Undo undo;
    uint32_t start, next;
    int32_t kept; /* where the tableau before a redeal lies in `kept`, -1 for another move */
} Frame;

typedef struct {
    Board board;
    Seen seen;
    Frame *frame;
    uint32_t *move;
    Key *after; /* of each plain move, the key of the board after it; zero for the others */
    uint8_t *kept;
    int64_t depth, frame_room, move_n, move_room, after_room, kept_n, kept_room;
    int64_t states, arrivals;
    int status, mode;
} Complete;

static int room(void **at, int64_t *have, int64_t want, size_t size) {
    if (want <= *have) return 1;
    int64_t more = *have * 2 > want ? *have * 2 : want;
    void *bigger = realloc(*at, (size_t)more * size);
    if (!bigger) return 0;
    *at = bigger;
    *have = more;
    return 1;
}

/* The keys after these moves, zero where a move must be made to know; their slots are asked for. */
static inline void list_keys(const Board *b, const Key *slot, uint64_t mask, const uint32_t *move, Key *after, int n) {
    static const Key nothing = {0, 0};
    for (int i = 0; i < n; i++) {
        after[i] = is_plain(b, move[i]) ? nonzero(key_after(b, move[i])) : nothing;
        if (after[i].a || after[i].b) fetch_slot(slot, mask, after[i]);
    }
}

/* Lists the moves of the position just reached. */
static int complete_open(Complete *c, Undo undo, int32_t kept) {
    if (!room((void **)&c->frame, &c->frame_room, c->depth + 1, sizeof(Frame))) return 0;
    if (!room((void **)&c->move, &c->move_room, c->move_n + MOST_MOVES, sizeof(uint32_t))) return 0;
    if (!room((void **)&c->after, &c->after_room, c->move_n + MOST_MOVES, sizeof(Key))) return 0;
    Frame *f = &c->frame[c->depth++];
    f->undo = undo;
    f->kept = kept;
    f->start = f->next = (uint32_t)c->move_n;
    c->move_n += list_moves(&c->board, c->move + c->move_n, c->mode);
    list_keys(&c->board, c->seen.slot, c->seen.mask, c->move + f->start, c->after + f->start, (int)(c->move_n - f->start));
    c->states++;
    if (!c->board.left) c->status = WON;
    return 1;
}

static int complete_start(Complete *c, int mode) {
    Undo none = {0, 0, 0, 0, 0};
    c->mode = mode;
    return seen_start(&c->seen) && seen_add(&c->seen, whole_key(&c->board)) == 1 && complete_open(c, none, -1);
}

static int keep_tableau(Complete *c) {
    const Game *g = c->board.game;
    if (!room((void **)&c->kept, &c->kept_room, c->kept_n + MOST_CARDS + MOST_PILES, 1)) return 0;
    for (int p = 0; p < g->tableau; p++) {
        const Pile *pile = &c->board.pile[p];
        c->kept[c->kept_n++] = pile->n;
        memcpy(c->kept + c->kept_n, pile->card, pile->n);
        c->kept_n += pile->n;
    }
    return 1;
}

static void give_back_tableau(Complete *c, int64_t at) {
    Board *b = &c->board;
    c->kept_n = at;
    for (int p = 0; p < b->game->tableau; p++) {
        lift(b, p);
        int n = c->kept[at++];
        b->pile[p].n = 0;
        for (int i = 0; i < n; i++) push(b, p, c->kept[at++]);
        lay(b, p);
    }
    b->redeals--;
}

static void complete_close(Complete *c) {
    Frame *f = &c->frame[--c->depth];
    c->move_n = f->start;
    if (!c->depth) c->status = EXHAUSTED;
    else if (f->kept >= 0) give_back_tableau(c, f->kept);
    else unmake(&c->board, &f->undo);
    if (c->depth) {
        const Frame *on = &c->frame[c->depth - 1];
        for (int64_t i = on->next; i < c->move_n && i < on->next + 4; i++)
            fetch_slot(c->seen.slot, c->seen.mask, c->after[i]);
    }
}

/* Plays the next move of the last frame; a position met before is left at once. */
static int complete_step(Complete *c) {
    Frame *f = &c->frame[c->depth - 1];
    if (f->next == (uint32_t)c->move_n) {
        complete_close(c);
        return 1;
    }
    Key after = c->after[f->next];
    uint32_t m = c->move[f->next++];
    c->arrivals++;
    if (after.a || after.b) {
        int fresh = seen_add(&c->seen, after);
        if (fresh < 0) return 0;
        return !fresh || complete_open(c, make(&c->board, m), -1);
    }
    int64_t at = (m & 0xffff) == REDEAL ? c->kept_n : -1;
    if (at >= 0 && !keep_tableau(c)) return 0;
    Undo undo = make(&c->board, m);
    int fresh = seen_add(&c->seen, whole_key(&c->board));
    if (fresh < 0) return 0;
    if (fresh) return complete_open(c, undo, (int32_t)at);
    if (at >= 0) give_back_tableau(c, at);
    else unmake(&c->board, &undo);
    return 1;
}

static int complete_run(Complete *c, int64_t states) {
    while (c->status == OPEN && c->states < states)
        if (!complete_step(c)) c->status = FULL;
    return c->status;
}

static void complete_free(Complete *c) {
    free(c->board.pile);
    free(c->seen.slot);
    free(c->frame);
    free(c->move);
    free(c->after);
    free(c->kept);
}

#endif
