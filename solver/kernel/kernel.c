/* The door of the kernel: plain functions on plain arrays, called from solver/native.py through ctypes. */
#define _DEFAULT_SOURCE /* madvise */
#include "shortest.h"
#include "streamlined.h"

#if defined(_WIN32)
#define DOOR __declspec(dllexport)
#else
#define DOOR __attribute__((visibility("default")))
#endif

/* Raised whenever a game, a state or a call changes its form; native.py refuses another number. */
DOOR int ramparts_form(void) { return 1; }

static uint64_t stir(uint64_t *seed) {
    uint64_t x = *seed += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static Key fresh_key(uint64_t *seed) {
    Key k;
    k.a = stir(seed);
    k.b = stir(seed);
    return k;
}

/* The words of solver/games.py, in its order. */
DOOR Game *ramparts_game(const uint64_t *word) {
    Game *g = calloc(1, sizeof(Game));
    if (!g) return NULL;
    int *const head[] = {&g->tableau,   &g->foundation_end, &g->cell_end,     &g->reserve_end,  &g->lifts,
                         &g->bounded,   &g->space_any,      &g->one_to_space, &g->cap,          &g->ordered,
                         &g->turn,      &g->passes,         &g->packet,       &g->top_first,    &g->redeals,
                         &g->only_blocked, &g->safe,        &g->groups,       &g->cards,        &g->chosen,
                         &g->dealt_base, &g->has_down,      &g->first_rank,   &g->one_each};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) *head[i] = (int)(int64_t)*word++;
    for (int c = 0; c < 52; c++) g->takes[c] = *word++;
    for (int c = 0; c < 52; c++) g->links_down[c] = *word++;
    for (int c = 0; c < 52; c++) g->links_up[c] = *word++;
    for (int r = 0; r < 14; r++) g->fills[r] = *word++;
    for (int f = 0; f < g->foundation_end - g->tableau; f++) {
        g->size[f] = (int)*word++;
        g->worry[f] = (int)*word++;
        g->group[f] = (int)*word++;
        for (int r = 0; r < 14; r++) g->starts[f][r] = *word++;
        for (int c = 0; c < 52; c++) g->builds[f][c] = *word++;
    }
    for (int c = 0; c < 52; c++) {
        g->code[c] = (uint8_t)*word++;
        g->exact[c] = (uint8_t)c;
    }
    for (int c = 0; c < 52; c++) g->foundation_code[c] = (uint8_t)*word++;
    for (int c = 0; c < 52; c++)
        for (int over = 0; over < 52; over++)
            if (g->takes[over] >> c & 1) g->holds[c] |= 1ull << over;
    for (int base = 0; base < 14; base++)
        for (int c = 0; c < 52; c++) {
            int first = g->chosen ? base - 1 : g->first_rank;
            g->order[base][c] = (int8_t)(g->groups > 1 || first < 0 ? -1 : (c % 13 + 13 - first) % 13);
        }
    uint64_t seed = 20261129;
    Key salts[MOST_PILES];
    for (int i = 0; i < 64; i++) {
        g->z[i] = fresh_key(&seed);
        g->talon_z[i] = fresh_key(&seed);
        g->down_z[i] = fresh_key(&seed);
    }
    for (int i = 0; i < MOST_PILES; i++) salts[i] = fresh_key(&seed);
    for (int p = 0; p < g->reserve_end; p++) g->salt[p] = salts[*word++];
    return g;
}

DOOR void ramparts_game_free(Game *g) { free(g); }

/* 0 if memory is at its end. */
static int read_board(Board *b, const Game *g, const int32_t *state, const uint8_t *code) {
    b->pile = malloc((size_t)g->reserve_end * sizeof(Pile));
    if (!b->pile) return 0;
    b->game = g;
    b->code = code;
    b->left = g->cards;
    b->base = *state++;
    b->redeals = *state++;
    for (int p = 0; p < g->reserve_end; p++) {
        int n = *state++, down = *state++;
        b->pile[p].n = b->pile[p].down = 0;
        b->pile[p].hash[0] = g->salt[p];
        for (int i = 0; i < n; i++) {
            push(b, p, *state);
            if (is_foundation(g, p)) rise(b, *state);
            state++;
        }
        b->pile[p].down = (uint8_t)down;
        lay(b, p);
    }
    if (!g->turn) return 1;
    b->talon_n = *state++;
    b->waste_n = *state++;
    b->passes = *state++;
    for (int i = 0; i < b->talon_n; i++) {
        b->talon[i] = (uint8_t)*state++;
        b->talon_id[i] = (uint8_t)i;
        b->talon_key = plus(b->talon_key, g->talon_z[i]);
    }
    return 1;
}

DOOR Complete *ramparts_complete(const Game *g, const int32_t *state, int mode) {
    Complete *c = calloc(1, sizeof(Complete));
    if (!c) return NULL;
    if (!read_board(&c->board, g, state, g->exact) || !complete_start(c, mode)) c->status = FULL;
    return c;
}

DOOR int ramparts_complete_run(Complete *c, int64_t states) { return complete_run(c, states); }

DOOR void ramparts_complete_counts(const Complete *c, int64_t *out) {
    out[0] = c->states;
    out[1] = c->arrivals;
    out[2] = c->status == WON ? c->depth - 1 : 0;
}

DOOR void ramparts_complete_line(const Complete *c, uint32_t *out) {
    for (int64_t i = 1; i < c->depth; i++) out[i - 1] = c->frame[i].kept >= 0 ? REDEAL : c->frame[i].undo.move;
}

DOOR void ramparts_complete_free(Complete *c) {
    complete_free(c);
    free(c);
}

DOOR Streamlined *ramparts_streamlined(const Game *g, const int32_t *state, int mode, int exact, const int *weight,
                                       int queues) {
    Streamlined *s = calloc(1, sizeof(Streamlined));
    if (!s) return NULL;
    s->mode = mode;
    s->queues = queues;
    memcpy(s->weight, weight, sizeof(int) * 8 * (size_t)queues);
    if (!read_board(&s->store.board, g, state, exact ? g->exact : g->code) || !streamlined_start(s)) s->status = FULL;
    return s;
}

DOOR int ramparts_streamlined_run(Streamlined *s, int64_t states) { return streamlined_run(s, states); }

DOOR void ramparts_streamlined_counts(const Streamlined *s, int64_t *out) {
    out[0] = s->states;
    out[1] = s->arrivals;
    out[2] = s->won < 0 ? 0 : s->store.node[s->won].played;
}

DOOR void ramparts_streamlined_line(const Streamlined *s, uint32_t *out) {
    if (s->won >= 0) store_line(&s->store, s->won, out);
}

DOOR void ramparts_streamlined_free(Streamlined *s) {
    streamlined_free(s);
    free(s);
}

DOOR Shortest *ramparts_shortest(const Game *g, const int32_t *state, int weight, int most) {
    Shortest *s = calloc(1, sizeof(Shortest));
    if (!s) return NULL;
    s->weight = weight;
    s->most = most;
    if (!read_board(&s->store.board, g, state, g->exact) || !shortest_start(s)) s->status = FULL;
    return s;
}

DOOR int ramparts_shortest_run(Shortest *s, int64_t states) { return shortest_run(s, states); }

DOOR void ramparts_shortest_counts(const Shortest *s, int64_t *out) {
    out[0] = s->states;
    out[1] = s->arrivals;
    out[2] = s->won < 0 ? 0 : s->store.node[s->won].played;
    out[3] = s->bound;
}

DOOR void ramparts_shortest_line(const Shortest *s, uint32_t *out) {
    if (s->won >= 0) store_line(&s->store, s->won, out);
}

DOOR void ramparts_shortest_free(Shortest *s) {
    shortest_free(s);
    free(s);
}
