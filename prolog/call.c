/* A predicate as a built-in function of Python: a string of bytes in, a string of bytes out.

   pysolve/engines/direct.py compiles this text and fills `lib` with functions of SWI-Prolog and Python, in this order.
   No header is needed, so that nothing but the compiler is. */

typedef __SIZE_TYPE__ word;
typedef void Object; /* of Python */

enum { NODEBUG = 0x4, CATCH = 0x8, EXT_STATUS = 0x40 };

static struct {
    /* SWI-Prolog */
    word (*open_frame)(void);
    void (*discard_frame)(word frame);
    int (*put_variable)(word term);
    int (*put_string)(word term, word length, const char *text);
    word (*open_query)(void *module, int flags, void *predicate, word terms);
    int (*next_solution)(word query);
    int (*get_string)(word term, char **text, word *length);
    int (*close_query)(word query);
    /* Python */
    unsigned long (*thread)(void);
    void *(*save_thread)(void);
    void (*restore_thread)(void *state);
    Object *(*item)(Object *tuple, word index);
    void *(*as_pointer)(Object *number);
    Object *(*from_size)(word number);
    int (*bytes_in)(Object *bytes, char **text, word *length);
    Object *(*bytes_out)(const char *text, word length);
    Object *(*call)(Object *callable, Object *argument);
    void (*keep)(Object *object);
    void (*drop)(Object *object);
    /* values */
    unsigned long *owner; /* the thread that may call from here; 0 in a forked child */
    word *terms;          /* two term references of that thread; the second is unbound between calls */
    long *calls;          /* its calls under way */
    Object *none;
} lib;

long ps_connect(void **from)
{
    for (word i = 0; i < sizeof lib / sizeof *from; i++)
        ((void **)&lib)[i] = from[i];
    return 0;
}

/* self: the predicate; a function of Python that does the same in any thread; one that raises what a query threw. */
Object *ps_call(Object *self, Object *data)
{
    char *text;
    word length, terms = *lib.terms, frame, query;
    int status;
    void *state;
    Object *reply;

    if (lib.thread() != *lib.owner)
        return lib.call(lib.item(self, 1), data);
    if (lib.bytes_in(data, &text, &length) != 0)
        return 0;
    frame = lib.open_frame(); /* or the text would stay on the stack until Prolog collects garbage */
    lib.put_string(terms, length, text);
    ++*lib.calls;
    query = lib.open_query(0, NODEBUG | CATCH | EXT_STATUS, lib.as_pointer(lib.item(self, 0)), terms);
    state = lib.save_thread(); /* or nobody could wake up and pass Ctrl-C on */
    status = lib.next_solution(query);
    lib.restore_thread(state);
    if (status < 0) {
        Object *number = lib.from_size(query);
        reply = number ? lib.call(lib.item(self, 2), number) : 0;
        if (number)
            lib.drop(number);
    } else {
        if (status > 0 && lib.get_string(terms + 1, &text, &length))
            reply = lib.bytes_out(text, length);
        else
            lib.keep(reply = lib.none);
    }
    lib.close_query(query);
    lib.discard_frame(frame);
    lib.put_variable(terms); /* the text is gone */
    --*lib.calls;
    return reply;
}
