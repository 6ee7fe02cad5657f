// ----------------------------------------------------------------------------------------------- stacks

// A stack is what lies on top of it, its height, and all that lies in it from below; above there is `none`.
typedef struct {
    u8 *top, *height, *items;
} Stack;

static UNUSED void put_on(Stack to, u8 value) {
    to.items[(*to.height)++] = value;
    *to.top = value;
}

static UNUSED void take_off(Stack from, I count, u8 none) {
    I left = *from.height - count;
    for (I i = left; i < *from.height; i++) from.items[i] = none;
    *from.height = (u8)left;
    *from.top = left ? from.items[left - 1] : none;
}

// The uppermost values, in their order, each `more` larger as a byte there.
static UNUSED void move_over(Stack from, Stack to, I count, u8 none, I more) {
    for (I i = *from.height - count; i < *from.height; i++) put_on(to, (u8)(from.items[i] + more));
    take_off(from, count, none);
}
