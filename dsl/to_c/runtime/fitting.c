/* ------------------------------------------------------------------------------------------- fitting

   Weights, those of lines, and a net are fitted to labelled positions, all labels at once, by Adam.

   Source: D. P. Kingma and J. Ba, Adam: A Method for Stochastic Optimization, ICLR 2015. */

/* Numbers that are fitted, what Adam knows of them, and the slopes of a step, which are zeros between two. */
typedef struct {
    float *weights;
    Errors *errors;
    float *slopes; /* downwards */
    I count;
} Fitted;

/* A net in floats; what a unit says is from 0 to 1.  See pysolve/search/learned.py. */
typedef struct {
    Lookup inputs;
    const i32 *parts, *begins; /* the rows of a place are parts[begins[place]] to parts[begins[place + 1] - 1] */
    I units, images;           /* images: of a position under the symmetries of the rules, itself the first one; */
    const i32 *places;         /* for each image and byte where it goes, */
    const u8 *values;          /* and what each of its 256 values becomes */
    Fitted rows, outputs;      /* outputs: stage by stage */
    i32 *at, *chosen;          /* of the position that is looked at: its places, its rows, how many, */
    I count;
    float *sums, *pulls;       /* and for each unit its sum, and by how much its rows are to change */
} FittedNet;

/* How a fit goes on: the labels by number, in the order in which they are looked at, and what Adam has not seen yet. */
typedef struct {
    const Label *labels;
    const i32 *order;
    I count, batch;          /* labels; those of a step */
    Fitted weights, lines;
    FittedNet *net;          /* or 0 */
    double rate, net_rate;
    float first, second;     /* of the two means: 1 at first */
    u64 lots;
} Fit;

#ifdef VECTORS
typedef float Floats4 __attribute__((vector_size(16), aligned(4), may_alias));
#endif

/* Adds a row to the sums of the units. */
INLINE void add_row(float *sums, const float *row, I units) {
#ifdef VECTORS
    for (I u = 0; u < units; u += 4) *(Floats4 *)(sums + u) += *(const Floats4 *)(row + u);
#else
    for (I u = 0; u < units; u++) sums[u] += row[u];
#endif
}

INLINE float unit_says(float sum) { return sum < 0 ? 0 : sum > 1 ? 1 : sum; }

/* What a net says of an image of a position, for the player to move. */
static float net_says(FittedNet *n, const u8 *s, I image, I stage) {
    const i32 *places = n->places + image * SIZE;
    const u8 *values = n->values + image * SIZE * 256;
    const int second = s[0] == 2;
    State t;
    for (int i = 0; i < SIZE; i++) t.b[places[i]] = values[256 * i + s[i]];
    find_places(&n->inputs, n->at, t.b, second);
    n->count = 0;
    for (I i = 0; i < n->inputs.counts[second]; i++)
        for (i32 k = n->begins[n->at[i]]; k < n->begins[n->at[i] + 1]; k++) n->chosen[n->count++] = n->parts[k];
    for (I u = 0; u < n->units; u++) n->sums[u] = 0;
    for (I i = 0; i < n->count; i++) add_row(n->sums, n->rows.weights + n->chosen[i] * n->units, n->units);
    const float *outputs = n->outputs.weights + stage * n->units;
    float found = 0;
    for (I u = 0; u < n->units; u++) found += unit_says(n->sums[u]) * outputs[u];
    return found;
}

/* Adds to the slopes of a net, of the position that it has just spoken of. */
static void add_net_slopes(FittedNet *n, I stage, float slope) {
    const float *outputs = n->outputs.weights + stage * n->units;
    float *slopes = n->outputs.slopes + stage * n->units;
    for (I u = 0; u < n->units; u++) {
        slopes[u] += slope * unit_says(n->sums[u]);
        n->pulls[u] = n->sums[u] > 0 && n->sums[u] < 1 ? slope * outputs[u] : 0;
    }
    for (I i = 0; i < n->count; i++) add_row(n->rows.slopes + n->chosen[i] * n->units, n->pulls, n->units);
}

/* By how much a label is above what is expected of its position, both from -1 to 1. */
static float off_by(UNUSED Control *c, const Pupil *p, Views *v, const Fit *f, const Label *one, I image, float *said) {
    BEGIN(c);
    v->view[0].known = v->view[1].known = 0;
    float odds = odds_of(p, v, one->s.b, said BOUND(c));
    if (f->net) odds += net_says(f->net, one->s.b, image, v->view[one->s.b[0] == 2].stage);
    return between((float)one->value / VALUE_UNIT) - between(odds);
}

/* One step of Adam; the slopes are zeros again. */
static void step_down(const Fitted *w, float rate, const Fit *f) {
    const float first = 1 - f->first, second = 1 - f->second;
    for (I i = 0; i < w->count; i++) {
        const float slope = w->slopes[i], error = w->errors[i].error += 0.1f * (slope - w->errors[i].error);
        const float size = w->errors[i].size += 0.001f * (slope * slope - w->errors[i].size);
        if (size > 0) w->weights[i] += rate * (error / first) * by_root(size / second + 1e-16f);
        w->slopes[i] = 0;
    }
}

/* Looks once at all labels, step by step: a step goes down the slope of the mean log loss of some labels.  0, or what
   went wrong. */
EXPORT I ps_fit(Control *c, const Pupil *p, Views *v, Fit *f) {
    float said[LINES + 1];
    for (I from = 0; from + f->batch <= f->count; from += f->batch) {
        if (c->stop) return STOPPED;
        for (I n = from; n < from + f->batch; n++) {
            const Label *one = f->labels + f->order[n];
            const I image = f->net ? (I)draw_below(&f->lots, (u64)f->net->images) : 0;
            const float slope = off_by(c, p, v, f, one, image, said) / (float)f->batch;
            const View *view = &v->view[one->s.b[0] == 2];
            float *slopes = f->weights.slopes + view->stage * p->entries;
            for (I i = 0; i < p->counts[one->s.b[0] == 2]; i++) slopes[view->at[i]] += slope;
            for (I i = 0; i < LINES; i++) f->lines.slopes[view->stage * LINES + i] += slope * said[i];
            if (f->net) add_net_slopes(f->net, view->stage, slope);
        }
        f->first *= 0.9f, f->second *= 0.999f;
        step_down(&f->weights, (float)f->rate, f);
        step_down(&f->lines, (float)f->rate, f);
        if (f->net) {
            step_down(&f->net->rows, (float)f->net_rate, f);
            step_down(&f->net->outputs, (float)f->net_rate, f);
        }
    }
    return 0;
}

/* The mean squared error of the expected result, which is from -1 to 1. */
EXPORT double ps_misfit(UNUSED Control *c, const Pupil *p, Views *v, const Fit *f) {
    float said[LINES + 1];
    double sum = 0;
    for (I n = 0; n < f->count; n++) {
        const float error = off_by(c, p, v, f, f->labels + f->order[n], 0, said);
        sum += error * error;
    }
    return f->count ? sum / (double)f->count : 0;
}
