/* Regrets of a game with hidden information; pysolve/search/hidden/cfr.py says the same in Python.  A program of its own:
   it knows no rules, only the arrays of pysolve/search/hidden/tree.py, which has their names and what they mean.  Sums
   are made in the same order as in Python, so all numbers are the same; no compiler may fuse a product and a sum. */

typedef long long I;
#define EXPORT __attribute__((visibility("default")))
enum { CHANCE_MOVES = 0 };

typedef struct {
    I nodes, sets, players;
    const int *first;
    const signed char *mover;
    const double *chance;
    const int *place;
    const double *payoffs;
    const int *begin;
    const signed char *owner;
    const int *parent;
} Tree;

typedef struct {
    double *regret, *total, *now; /* for each move of the information sets: `total` is the sum of the strategies */
    double *likely;               /* the same, for one player: how likely his own moves lead there */
    double *others, *value;       /* for each node */
    double *gain;                 /* for each move: what a best response would get by it */
} Work;

EXPORT I ps_abi(void) { return ABI; }

/* How likely each node is by the moves of all but one player, and of chance. */
static void go_down(const Tree *t, const double *strategy, I player, double *others) {
    others[0] = 1.0;
    for (I i = 0; i < t->nodes; i++) {
        int first = t->first[i], end = t->first[i + 1];
        double here = others[i];
        if (t->mover[i] == player)
            for (int child = first; child < end; child++) others[child] = here;
        else if (t->mover[i] == CHANCE_MOVES)
            for (int child = first; child < end; child++) others[child] = here * t->chance[child];
        else {
            const double *move = strategy + t->begin[t->place[i]];
            for (int child = first; child < end; child++) others[child] = here * *move++;
        }
    }
}

/* What a node is worth to a player, where the values of its children are known. */
static inline double mean(const Tree *t, const double *strategy, I player, I i, const double *value) {
    int first = t->first[i], end = t->first[i + 1];
    double found = 0.0;
    if (first == end) return t->payoffs[i * t->players + player - 1];
    if (t->mover[i] == CHANCE_MOVES)
        for (int child = first; child < end; child++) found += t->chance[child] * value[child];
    else {
        const double *move = strategy + t->begin[t->place[i]];
        for (int child = first; child < end; child++) found += *move++ * value[child];
    }
    return found;
}

/* One iteration of one player. */
static void update(const Tree *t, const Work *w, I player, I weight) {
    go_down(t, w->now, player, w->others);
    for (I i = t->nodes - 1; i >= 0; i--) {
        double here = w->value[i] = mean(t, w->now, player, i, w->value);
        if (t->mover[i] != player) continue;
        double *regret = w->regret + t->begin[t->place[i]];
        for (int child = t->first[i]; child < t->first[i + 1]; child++)
            *regret++ += w->others[i] * (w->value[child] - here);
    }
    for (I s = 0; s < t->sets; s++) {
        if (t->owner[s] != player) continue;
        int begin = t->begin[s], end = t->begin[s + 1];
        double reach = t->parent[s] < 0 ? 1.0 : w->likely[t->parent[s]], whole = 0.0;
        for (int a = begin; a < end; a++) {
            w->likely[a] = reach * w->now[a];
            w->total[a] += (double)weight * w->likely[a];
            if (w->regret[a] < 0.0) w->regret[a] = 0.0;
            whole += w->regret[a];
        }
        for (int a = begin; a < end; a++) w->now[a] = whole > 0.0 ? w->regret[a] / whole : 1.0 / (end - begin);
    }
}

/* Iterations from number `made` + 1 on, until there are so many; control is that of pysolve/engines/bindings.py, of
   which the first two numbers count: whether to stop, and how many are made.  Answers how many there are. */
EXPORT I ps_regrets(volatile I *control, const Tree *t, const Work *w, I made, I wanted) {
    while (made < wanted && !control[0]) {
        made++;
        for (I player = 1; player <= t->players; player++) update(t, w, player, made);
        control[1]++;
    }
    return made;
}

EXPORT void ps_worth(const Tree *t, const Work *w, const double *strategy, I player) {
    for (I i = t->nodes - 1; i >= 0; i--) w->value[i] = mean(t, strategy, player, i, w->value);
}

/* The best response of a player, his nodes and the others in the order of tree.py: Order. */
EXPORT void ps_response(const Tree *t, const Work *w, const double *strategy, I player, const int *nodes,
                        const int *own, const int *ends, I groups, int *choice) {
    go_down(t, strategy, player, w->others);
    for (I a = 0; a < t->begin[t->sets]; a++) w->gain[a] = 0.0;
    int start = 0;
    for (I g = 0; g < groups; g++) {
        for (int at = start; at < own[g]; at++) {
            int i = nodes[at];
            double *gain = w->gain + t->begin[t->place[i]];
            for (int child = t->first[i]; child < t->first[i + 1]; child++) *gain++ += w->others[i] * w->value[child];
        }
        for (int at = start; at < own[g]; at++) {
            int i = nodes[at], s = t->place[i], best = t->begin[s];
            for (int a = best + 1; a < t->begin[s + 1]; a++)
                if (w->gain[a] > w->gain[best]) best = a;
            choice[s] = best - t->begin[s];
            w->value[i] = w->value[t->first[i] + choice[s]];
        }
        for (int at = own[g]; at < ends[g]; at++) w->value[nodes[at]] = mean(t, strategy, player, nodes[at], w->value);
        start = ends[g];
    }
}
