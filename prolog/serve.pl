% ------------------------------------------------------------------ The runtime of every generated game
%
% This text stands behind the clauses of a game, in the same module.  It answers people (initial/1, legal/2, …)
% in words and programs (expand/2, …) in bytes.
%
% Modes and determinism are written as in the SWI-Prolog manual.  P, Q are positions as generated clauses have
% them (state/N); in and out of Python a position is a string with one code for each byte.

:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, max_list/2, min_list/2, nth0/3,
                               reverse/2, sum_list/2]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).

:- det(expand/2).
:- det(patched/4).

% ---------------------------------------------------------------------------------------- for people

%!  initial(?P) is semidet.
%
%   P is the initial position; where the setup draws lots, the one of seed 0.

initial(P) :-
    initial(0, P).

%!  initial(+Seed, ?P) is semidet.
%
%   P is the initial position whose lots are drawn from Seed.

initial(Seed, P) :-
    setup(Seed, P0),    % makes a new position, and so cannot be asked about a known one
    P = P0.

%!  to_move(+P, ?Player) is semidet.
%
%   True if it is Player's turn, by name.

to_move(P, Player) :-
    arg(1, P, Mover),
    once(name(player, Mover, Player)).

%!  legal(+P, ?Move) is nondet.
%
%   True if Move is legal, as in capture(a1, b2).  Parts of Move may be known.

legal(P, Move) :-
    ground(Move),
    !,
    numbered_move(Move, Inner),
    once(legal_(P, Inner)).
legal(P, Move) :-
    partly_numbered_move(Move, Inner),
    legal_(P, Inner),
    worded_move(Inner, Move).

legal_(P, Inner) :-
    \+ over(P, _, _),
    (   move(P, Inner)
    *-> true
    ;   pass_code(Code),
        integer(Code),
        \+ can_move(P),
        Inner = pass
    ).

%!  play(+P, ?Move, ?Q) is nondet.
%
%   Q is the position after the legal Move.  With Q known it finds the moves that lead there.

play(P, Move, Q) :-
    ground(Move),
    !,
    numbered_move(Move, Inner),
    once(legal_(P, Inner)),
    after(P, Inner, Q0),
    Q = Q0.
play(P, Move, Q) :-
    partly_numbered_move(Move, Inner),
    legal_(P, Inner),
    after(P, Inner, Q0),
    Q = Q0,
    worded_move(Inner, Move).

%!  outcome(+P, ?Outcome) is semidet.
%
%   True if the game is over: Outcome is win(Player) or draw.  What depends on the game so far is not
%   asked: see outcome/4.

outcome(P, Outcome) :-
    outcome(P, 0, 1, Outcome).

%!  outcome(+P, +Turns, +Times, ?Outcome) is semidet.
%
%   As outcome/2, after so many turns, where the position has occurred so many times.

outcome(P, Turns, Times, Outcome) :-
    (   over(P, Turns, Times, _, Winner)
    ->  true
    ;   \+ can_move(P),
        stuck(P, Winner)
    ),
    (   Winner == 0
    ->  Outcome = draw
    ;   once(name(player, Winner, Player)),
        Outcome = win(Player)
    ).

%!  value(+P, ?Place, ?Value) is nondet.
%
%   True if Place, as in at(a1) or token, holds Value, as in 'Red' or 3.

value(P, Place, Value) :-
    asked(Name, slot, _, Sorts, Sort),
    length(Sorts, Arity),
    functor(Place, Name, Arity),
    Place =.. [Name|Words],
    maplist(numbered, Sorts, Words, Args),
    (   nonvar(Value)
    ->  numbered(Sort, Value, V)
    ;   true
    ),
    slot_value(P, Name, Sorts, Args, V),
    maplist(worded, Sorts, Args, Words),
    worded(Sort, V, Value).

%!  holds(+P, +Goal) is nondet.
%
%   True if Goal holds in P.  Goal is made of the names of the rules file: conditions and relations as
%   they are, values with one argument more (distance(c3, D)) or in an equation (distance(c3) = D), kinds
%   of moves for their legal moves; joined by `,`, `;` and `\+`.

holds(P, Goal) :-
    holds_(Goal, P).

holds_(Goal, _) :-
    \+ callable(Goal),
    !,
    throw(error(pysolve(nothing_asked), _)).
holds_((A, B), P) :-
    !,
    holds_(A, P),
    holds_(B, P).
holds_((A ; B), P) :-
    !,
    (   holds_(A, P)
    ;   holds_(B, P)
    ).
holds_(\+ A, P) :-
    !,
    \+ holds_(A, P).
holds_(true, _) :-
    !.
holds_(pass, P) :-
    pass_code(Code),
    integer(Code),
    !,
    legal(P, pass).
holds_(Comparison, P) :-
    compares(Comparison, A, B, Test),
    !,
    (   memberchk(Test, [=, \==])
    ->  known_word(A, B),
        known_word(B, A)
    ;   true
    ),
    evaluated(A, P, X),
    evaluated(B, P, Y),
    comparable(Test, X, Y),
    call(Test, X, Y).
holds_(Goal, P) :-
    compound_name_arguments_(Goal, Name, Words),
    length(Words, Arity),
    (   asked(Name, Kind, Target, Sorts, Sort),
        question(Kind, Sort, Sorts, Arity)
    *-> asked_(Kind, Target, Name, P, Sorts, Sort, Words)
    ;   throw(error(pysolve(unknown_question(Name, Arity)), _))
    ).

compares(A = B, A, B, =).
compares(A \= B, A, B, \==).
compares(A < B, A, B, <).
compares(A =< B, A, B, =<).
compares(A > B, A, B, >).
compares(A >= B, A, B, >=).

% A word on the one side must be a value of what stands on the other.
known_word(Word, Other) :-
    (   atomic(Word),
        \+ asked(Word, _, _, [], _),
        nonvar(Other),
        compound_name_arguments_(Other, Name, Args),
        length(Args, Arity),
        asked(Name, Kind, _, Sorts, Sort),
        Kind \== move,
        Sort \== none,
        length(Sorts, Arity)
    ->  numbered(Sort, Word, _)
    ;   true
    ).

comparable(Test, X, Y) :-
    (   memberchk(Test, [=, \==])
    ->  true
    ;   ( var(X) ; var(Y) )
    ->  throw(error(pysolve(no_value), _))
    ;   integer(X),
        integer(Y)
    ->  true
    ;   throw(error(pysolve(no_numbers), _))
    ).

compound_name_arguments_(Goal, Name, Words) :-
    (   compound(Goal)
    ->  compound_name_arguments(Goal, Name, Words)
    ;   Name = Goal,
        Words = []
    ).

% A value has one argument more than it has parameters; a condition and a move just as many.
question(move, _, Sorts, Arity) :- !, length(Sorts, Arity).
question(_, none, Sorts, Arity) :- !, length(Sorts, Arity).
question(_, _, Sorts, Arity) :- length(Sorts, N), Arity =:= N + 1.

asked_(move, Name, Name, P, _, _, Words) :-
    !,
    (   Words == []
    ->  Move = Name
    ;   compound_name_arguments(Move, Name, Words)
    ),
    legal(P, Move).
asked_(Kind, Target, Name, P, Sorts, Sort, Words) :-
    length(Sorts, N),
    length(Inputs, N),
    append(Inputs, Result, Words),
    maplist(numbered, Sorts, Inputs, Args),
    maplist(ranges_over, Sorts, Args),
    asked_value(Kind, Target, Name, P, Sorts, Args, Sort, Value),
    maplist(worded, Sorts, Args, Inputs),
    (   Sort == none
    ->  true
    ;   Sort = set(Of)
    ->  Result = [Word],
        (   nonvar(Word) -> numbered(Of, Word, Value) ; true ),
        worded(Of, Value, Word)
    ;   Result = [Word],
        worded(Sort, Value, Word)
    ).

asked_value(slot, _, Name, P, Sorts, Args, _, Value) :-
    slot_value(P, Name, Sorts, Args, Value).
asked_value(table, Target, _, _, _, Args, Sort, Value) :-
    (   Sort == none
    ->  Goal =.. [Target|Args]
    ;   append(Args, [Value], All),
        Goal =.. [Target|All]
    ),
    call(Goal).
asked_value(function, Target, _, _, _, Args, Sort, Value) :-
    asked_value(table, Target, _, _, _, Args, Sort, Value).
asked_value(rule, Target, _, P, _, Args, Sort, Value) :-
    (   Sort == none
    ->  Goal =.. [Target, P|Args],
        call(Goal)
    ;   append(Args, [Found], All),
        Goal =.. [Target, P|All],
        call(Goal),
        (   Sort = set(_)
        ->  member(Value, Found)
        ;   Value = Found
        )
    ).

% The value of one side of an equation: a word or a number, or a name with its arguments.
evaluated(X, _, X) :-
    var(X),
    !.
evaluated(X, P, V) :-
    compound_name_arguments_(X, Name, Words),
    asked(Name, Kind, _, Sorts, Sort),
    Kind \== move,
    Sort \== none,
    length(Words, Arity),
    length(Sorts, Arity),
    !,
    append(Words, [V], All),
    Goal =.. [Name|All],
    holds_(Goal, P).
evaluated(X, _, X) :-
    atomic(X).

%!  show(+P) is det.
%
%   Prints the board, and who is to move.

show(P) :-
    to_move(P, Player),
    format("~w to move~n", [Player]),
    forall(row(Cells),
           (   forall(member(Cell, Cells),
                      (   drawn(P, Cell, Text),
                          format(" ~w", [Text])
                      )),
               nl
           )).

drawn(_, none, ' ') :-
    !.
drawn(P, Cell, Text) :-
    findall(Glyph,
            (   glyph([Name|Names], Values, Glyph),
                Values \== [],
                maplist(holds_on(P, Cell), [Name|Names], Values)
            ),
            Glyphs),
    findall(Glyph,
            (   glyph([Name], [], Glyph),
                slot(Name, N, []),
                arg(N, P, Cell)
            ),
            Tokens),
    (   Tokens = [Text|_]
    ->  true
    ;   atomic_list_concat(Glyphs, Text)
    ).

holds_on(P, Cell, Name, Value) :-
    slot(Name, N, _),
    arg(N, P, Values),
    arg(Cell, Values, Value).

%!  perft(+P, +Depth, -Count) is det.
%
%   Count is the number of sequences of Depth legal moves; a finished game has none.

perft(_, 0, 1) :-
    !.
perft(P, Depth, Count) :-
    must_be(nonneg, Depth),
    findall(M, legal_(P, M), Moves),
    (   Depth =:= 1
    ->  length(Moves, Count)
    ;   Depth1 is Depth - 1,
        foldl(perft_(P, Depth1), Moves, 0, Count)
    ).

perft_(P, Depth, Move, Count0, Count) :-
    after(P, Move, Q),
    perft(Q, Depth, More),
    Count is Count0 + More.

%!  why(+P, +Move) is det.
%
%   Prints each demand of Move's kind, whether it holds, and the values that decide it.

why(P, Move) :-
    must_be(ground, Move),
    numbered_move(Move, Inner),
    functor(Inner, Kind, _),
    reasons(P, Inner, Reasons),
    forall(member(Reason, Reasons), print_reason(Kind, 2, Reason)).

print_reason(Kind, Column, reason(Part, N, Holds, Values, Parts)) :-
    line(Kind, Part, N, Line, Text, Reason),
    (   Holds == true
    ->  Mark = holds
    ;   Mark = 'FAILS'
    ),
    (   ( Values == [] ; Parts \== [] )  % the parts tell those that matter
    ->  Said = ''
    ;   atomic_list_concat(Values, ', ', Words),
        atomic_list_concat(['   ', Words], Said)
    ),
    format("~t~*|~w  line ~w: ~w~w~n", [Column, Mark, Line, Text, Said]),
    Inside is Column + 7,
    (   ( Holds == true ; Reason == none )
    ->  true
    ;   format("~t~*|~w~n", [Inside, Reason])
    ),
    forall(member(Inner, Parts), print_reason(Kind, Inside, Inner)).

% ------------------------------------------------------------------------------------ words and numbers

partly_numbered_move(Move, Inner) :-
    (   var(Move)
    ->  true
    ;   numbered_move(Move, Inner)
    ).

numbered_move(Move, Inner) :-
    (   Move == pass
    ->  Inner = pass
    ;   compound_name_arguments_(Move, Kind, Words),
        asked(Kind, move, _, Sorts, _),
        same_length_(Sorts, Words)
    ->  maplist(numbered, Sorts, Words, Args),
        Inner =.. [Kind|Args]
    ;   throw(error(pysolve(unknown_move(Move)), _))
    ).

same_length_(As, Bs) :-
    length(As, N),
    length(Bs, N).

worded_move(pass, Move) :-
    !,
    Move = pass.
worded_move(Inner, Move) :-
    Inner =.. [Kind|Args],
    asked(Kind, move, _, Sorts, _),
    maplist(worded, Sorts, Args, Words),
    Move =.. [Kind|Words].

%!  numbered(+Sort, ?Word, ?Number) is semidet.
%
%   Number stands for Word in the clauses of the game; both are left alone if Word is unbound.

numbered(_, Word, _) :-
    var(Word),
    !.
numbered(optional(_, None), none, None) :-
    !.
numbered(optional(Sort, _), Word, Number) :-
    !,
    numbered(Sort, Word, Number).
numbered(named(Sort, _, _), Word, Number) :-
    (   name(Sort, Known, Word)
    ->  Number = Known
    ;   throw(error(pysolve(unknown_word(Sort, Word)), _))
    ).
numbered(number(Low, High), Word, Word) :-
    integer(Word),
    Word >= Low,
    Word =< High.
numbered(set(Sort), Word, Number) :-
    numbered(Sort, Word, Number).

worded(optional(Sort, None), Number, Word) :-
    !,
    (   Number == None
    ->  Word = none
    ;   worded(Sort, Number, Word)
    ).
worded(named(Sort, _, _), Number, Word) :-
    once(name(Sort, Number, Word)).
worded(number(_, _), Number, Number).
worded(set(Sort), Number, Word) :-
    worded(Sort, Number, Word).

% Tries all values of a sort for an argument that is not known.
ranges_over(_, Arg) :-
    nonvar(Arg),
    !.
ranges_over(optional(Sort, None), Arg) :-
    (   Arg = None
    ;   ranges_over(Sort, Arg)
    ).
ranges_over(named(_, Low, High), Arg) :-
    between(Low, High, Arg).
ranges_over(number(Low, High), Arg) :-
    between(Low, High, Arg).

slot_value(P, Name, Sorts, Args, Value) :-
    slot(Name, N, Bounds),
    arg(N, P, Held),
    (   Bounds == []
    ->  Value = Held
    ;   maplist(ranges_over, Sorts, Args),
        foldl(place, Bounds, Args, 0, Flat),
        Place is Flat + 1,
        arg(Place, Held, Value)
    ).

place(Low-High, Arg, Flat0, Flat) :-
    Flat is Flat0 * (High - Low + 1) + Arg - Low.

% ----------------------------------------------------------------------------------------- moves and turns

%!  after(+P, +Inner, -Q) is det.
%
%   Q is the position after the move Inner (in numbers).

after(P, Inner, Q) :-
    passed(P, Next),
    effect(Inner, P, W, []),
    patched(Next, W, [], Q),
    !.
after(_, Inner, _) :-
    throw(error(pysolve(no_effect(Inner)), _)).

% The same position with the turn passed on.
passed(P, Next) :-
    arg(1, P, Mover),
    opponent(Mover, Other),
    with_mover(P, Other, Next0),
    kept_slot(Kept),
    (   Kept =:= 0
    ->  Next = Next0
    ;   setarg(Kept, Next0, 0),
        Next = Next0
    ).

%!  patched(+P, +W0, +W, -Q) is det.
%
%   Q is P with the changes that stand between the lists W0 and W: byte, value, byte, value, …  It shares with P the
%   slots that do not change.

patched(P, W0, W, Q) :-
    P =.. Slots,
    Q =.. Slots,
    address_digits(Digits),
    patch(W0, W, Digits, P, Q).

patch(W0, W, _, _, _) :-
    W0 == W,
    !.
patch([B0|W0], W, Digits, P, Q) :-
    address(Digits, B0, W0, Byte, [V0|W1]),
    spot(Byte, Slot, Place, Width, Shift),
    (   Width =:= 1
    ->  Value is V0 - Shift,
        W2 = W1
    ;   W1 = [B1|W3],
        address(Digits, B1, W3, _, [V1|W2]),
        Value is V0 * 255 + V1 - Shift
    ),
    (   Place =:= 0
    ->  setarg(Slot, Q, Value)
    ;   arg(Slot, Q, Held0),
        own(Held0, Slot, P, Q, Held),
        setarg(Place, Held, Value)
    ),
    patch(W2, W, Digits, P, Q).

% Held is the term of a slot that P does not have: what does not change they share.
own(Held0, Slot, P, Q, Held) :-
    arg(Slot, P, Shared),
    (   same_term(Held0, Shared)
    ->  duplicate_term(Shared, Held),
        setarg(Slot, Q, Held)
    ;   Held = Held0
    ).

address(1, Byte, W, Byte, W).
address(2, High, [Low|W], Byte, W) :-
    Byte is High * 255 + Low.

%!  over(+P, -Number, -Winner) is semidet.
%
%   True if an ending holds: its number, and the winner's number or 0.

over(P, Number, Winner) :-
    over(P, 0, 1, Number, Winner).

over(P, Turns, Times, Number, Winner) :-
    just_moved(P, P1),
    ending(P1, Number0, Winner0, Turns, Times),
    !,
    Number = Number0,
    Winner = Winner0.

% The position as the player sees it who has just moved.
just_moved(P, P1) :-
    arg(1, P, Mover),
    kept_slot(Kept),
    (   Kept =\= 0,
        arg(Kept, P, 1)
    ->  P1 = P
    ;   opponent(Mover, Last),
        with_mover(P, Last, P1)
    ).

%!  canonical(?Move, :Goal) is nondet.
%
%   True if Goal holds, which binds Move.  Solutions come in order, and each once.

canonical(Move, Goal) :-
    (   ground(Move)
    ->  call(Goal)
    ;   findall(Move, Goal, Found),
        sort(Found, Moves),
        member(Move, Moves)
    ).

%!  mobility(+P, +Player, -Count) is det.
%
%   Count is the number of legal moves that Player would have as the mover.

mobility(P, Player, Count) :-
    with_mover(P, Player, P1),
    findall(x, move(P1, _), Moves),
    length(Moves, Count).

joined(Lists, W0, W) :-
    append(Lists, Changes),
    append(Changes, W, W0).

%!  known(+Rule, +Decides, +Count, -Known) is det.
%
%   Known has Count arguments: the answers of Rule that have been found while Decides stayed the same term, and
%   variables.  In the setup, which changes terms in place, none is kept.

known(Rule, Decides, Count, Known) :-
    (   nb_current(Rule, known(Decides0, Known0)),
        same_term(Decides0, Decides)
    ->  Known = Known0
    ;   functor(Known, known, Count),
        (   nb_current(known_for_now, true)
        ->  true
        ;   b_setval(Rule, known(Decides, Known))
        )
    ).

% The answer is that of all these members.
told([], _, _, _).
told([Member|Members], Answer, Shift, Known) :-
    Place is Member + Shift,
    arg(Place, Known, Answer),
    told(Members, Answer, Shift, Known).

%!  reach(+Start, :Step, +Shift, +Count, -Set) is det.
%
%   Set is the ordered set of what is reached from the members of Start by repeating Step.  There are Count values,
%   the first of which is 1 - Shift.

reach(Start, Step, Shift, Count, Set) :-
    functor(Marks, marks, Count),
    findall(Found,
            (   member(Near, Start),
                marked(Near, Shift, Marks),
                spread(Near, Step, Shift, Marks, Found)
            ),
            All),
    sort(All, Set).

spread(Near, _, _, _, Near).
spread(Near, Step, Shift, Marks, Found) :-
    call(Step, Near, Next),
    marked(Next, Shift, Marks),
    spread(Next, Step, Shift, Marks, Found).

% Marks a value for good; fails if it was marked before.
marked(Value, Shift, Marks) :-
    Place is Value + Shift,
    arg(Place, Marks, Mark),
    var(Mark),
    nb_setarg(Place, Marks, 1).

% ---------------------------------------------------------------------------------------------- mistakes

in_range(Value, Low, High, Slot, Line) :-
    (   Value >= Low,
        Value =< High
    ->  true
    ;   throw(error(pysolve(out_of_range(Slot, Value, Low, High, Line)), _))
    ).

impossible(Line) :-
    throw(error(pysolve(no_value(Line)), _)).

% ------------------------------------------------------------------------------------------------- lots

%!  lots(+Seed, -R) is det.
%
%   R is a source of lots: splitmix64 (Steele, Lea and Flood 2014), the same on every engine.

lots(Seed, lots(State)) :-
    State is Seed /\ 0xFFFFFFFFFFFFFFFF.

%!  pick(!R, +Found, +Line, -Item) is det.
%
%   Item is drawn from the distinct members of Found, in their order.

pick(R, Found, Line, Item) :-
    sort(Found, Set),
    length(Set, Count),
    (   Count > 0
    ->  true
    ;   throw(error(pysolve(nothing_to_pick(Line)), _))
    ),
    draw(R, Bits),
    Index is ((Bits >> 32) * Count) >> 32,
    nth0(Index, Set, Item).

draw(R, Bits) :-
    arg(1, R, State0),
    State is (State0 + 0x9E3779B97F4A7C15) /\ 0xFFFFFFFFFFFFFFFF,
    nb_setarg(1, R, State),
    Z1 is ((State xor (State >> 30)) * 0xBF58476D1CE4E5B9) /\ 0xFFFFFFFFFFFFFFFF,
    Z2 is ((Z1 xor (Z1 >> 27)) * 0x94D049BB133111EB) /\ 0xFFFFFFFFFFFFFFFF,
    Bits is Z2 xor (Z2 >> 31).

% ------------------------------------------------------------------------------------------ for programs

%!  expand(+In, -Out) is det.
%
%   In is a position as a string.  Out is a string of codes: if the game is over, the number of the ending
%   and the winner or 0; otherwise 0, what every move changes, and for each legal move 255, its kind, its
%   parameters, and its changes as byte, value, byte, value, …

expand(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    expansion(P, Reply),
    string_codes(Out, Reply).

:- if(may_end).
expansion(P, Reply) :-
    over(P, Number, Winner),
    !,
    Reply = [Number, Winner].
:- endif.
expansion(P, Reply) :-
    (   records(P, Records, [])
    ->  (   Records \== []
        ->  turn_changes(P, Reply, Records)
        ;   no_moves(P, Reply)
        )
    ;   move(P, Inner),                 % a move that breaks the rules has no record; it says why
        effect(Inner, P, _, []),
        fail
    ).

%!  look(+In, -Out) is det.
%
%   The same without what each move changes.

look(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    (   over(P, Number, Winner)
    ->  Reply = [Number, Winner]
    ;   findall(Move, move(P, Move), Moves),
        Moves \== []
    ->  foldl(move_codes, Moves, Records, []),
        turn_changes(P, Reply, Records)
    ;   no_moves(P, Reply)
    ),
    string_codes(Out, Reply).

%!  result(+In, -Out) is det.
%
%   In is a position as a string; Out the ending and the winner as in expand/2, or 0 if the game goes on.

result(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    (   over(P, Number, Winner)
    ->  Reply = [Number, Winner]
    ;   can_move(P)
    ->  Reply = [0]
    ;   no_moves(P, Reply)
    ),
    string_codes(Out, Reply).

%!  played(+In, -Out) is det.
%
%   In is a move in numbers, as in `retreat(1,2).`, then a position; Out is the position after it, as a string.

played(In, Out) :-
    question_and_position(In, Text, P),
    term_string(Inner, Text),
    after(P, Inner, Q),
    encode(Q, Codes),
    string_codes(Out, Codes).

% The reply for a player who has no move.
no_moves(P, Reply) :-
    (   pass_code(Code),
        integer(Code)
    ->  turn_changes(P, Reply, [255, Code])
    ;   stuck_code(Number),
        stuck(P, Winner),
        Reply = [Number, Winner]
    ).

turn_changes(P, [0|Changes], Records) :-
    arg(1, P, Mover),
    turn_codes(Mover, Records, Changes).

%!  start(+Seed, -Out) is det.
%
%   Out is the initial position as a string; Seed is a string of digits.

start(Seed, Out) :-
    number_string(Number, Seed),
    setup(Number, P),
    encode(P, Codes),
    string_codes(Out, Codes).

%!  estimated(+In, -Out) is det.
%
%   Out is the value of a position for the first player, as text.

estimated(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    estimate(P, 1, Value),
    format(string(Out), "~w", [Value]).

%!  judged(+In, -Out) is det.
%
%   In is "turns times " and a position; Out is the ending and the winner as in expand/2, or empty.

judged(In, Out) :-
    split_string_twice(In, Turns, Times, Codes),
    decode(Codes, P),
    (   over(P, Turns, Times, Number, Winner)
    ->  string_codes(Out, [Number, Winner])
    ;   Out = ""
    ).

%!  stood(+In, -Out) is det.
%
%   In is "number 0 " and a position; Out are the numbers that the ending of that number compares, as text.

stood(In, Out) :-
    split_string_twice(In, Number, _, Codes),
    decode(Codes, P),
    (   stuck_code(Number)
    ->  P1 = P
    ;   just_moved(P, P1)
    ),
    (   standing(P1, Number, Values)
    ->  atomic_list_concat(Values, ' ', Text)
    ;   Text = ''
    ),
    atom_string(Text, Out).

split_string_twice(In, A, B, Codes) :-
    string_codes(In, All),
    append(ACodes, [0' |Rest], All),
    !,
    append(BCodes, [0' |Codes], Rest),
    !,
    number_codes(A, ACodes),
    number_codes(B, BCodes).

%!  explained(+In, -Out) is det.
%
%   In is a move in numbers, as in `retreat(1,2).`, then a position.  Out has a line for each demand: part,
%   number, true or false, and the values that decide it, separated by tabs.

explained(In, Out) :-
    question_and_position(In, Text, P),
    term_string(Inner, Text),
    reasons(P, Inner, Reasons),
    findall(Line,
            (   one_of(Reasons, reason(Part, N, Holds, Values, _)),
                format(atom(Number), "~w", [N]),
                atomic_list_concat([Part, Number, Holds|Values], '\t', Line)
            ),
            Lines),
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Out).

% A reason, or one of its parts.
one_of(Reasons, Reason) :-
    member(First, Reasons),
    (   Reason = First
    ;   First = reason(_, _, _, _, Parts),
        one_of(Parts, Reason)
    ).

%!  reasons(+P, +Inner, -Reasons) is det.
%
%   Reasons has a term reason(Part, Number, Holds, Values, Parts) for each demand of the move's kind.  Parts has
%   the same for the conditions that decide why one fails; the second part of the third demand has the number 3/2.
%   The demands on the resulting position are looked at only if all others hold.

reasons(P, Inner, Reasons) :-
    Inner =.. [Kind|Args],
    findall(R, reason(Kind, when, P, Args, R), Before),
    (   member(reason(_, _, false, _, _), Before)
    ->  Reasons = Before
    ;   line(Kind, after, _, _, _, _)
    ->  effect(Inner, P, W, []),
        patched(P, W, [], Q),
        findall(R, reason(Kind, after, Q, Args, R), After),
        append(Before, After, Reasons)
    ;   Reasons = Before
    ).

reason(Kind, Part, P, Args, Reason) :-
    line(Kind, Part, N, _, _, _),
    integer(N),
    looked_at(Kind, Part, N, P, Args, Reason).

looked_at(Kind, Part, N, P, Args, reason(Part, N, Holds, Values, Parts)) :-
    (   demand(Kind, Part, N, P, Args)
    ->  Holds = true
    ;   Holds = false
    ),
    findall(Value, said_of(Kind, Part, N, P, Args, Holds, Value), All),
    distinct(All, Values),
    (   Holds == true,
        integer(N)
    ->  Parts = []
    ;   deciding_parts(Kind, Part, N, P, Args, Holds, Parts)
    ).

% The values that decide a demand, what speaks against it, and the way of a closure.
said_of(Kind, Part, N, P, Args, _, Text) :-
    shows(Kind, Part, N, P, Args, said(Label, Places), Value),
    equation(Label, Places, Value, Text).
said_of(Kind, Part, N, P, Args, _, Text) :-
    against(Kind, Part, N, P, Args, said(Label, Places), Value),
    equation(Label, Places, Value, Text).
said_of(Kind, Part, N, P, Args, Holds, Text) :-
    trail(Kind, Part, N, P, Args, Sort, Start, Step, Item),
    (   Item \== all,
        way(Start, Step, Item, Way)
    ->  listed_words(Sort, Way, Words),
        format(atom(Text), "path: ~w", [Words])
    ;   Holds == false,
        reached(Start, Step, Reached),
        listed_words(Sort, Reached, Words),
        format(atom(Text), "reached: ~w", [Words])
    ).

% What decides why a demand fails: of the conditions that it joins by `and` or `or`, those that fail as they do
% together, or hold as they do together where it denies them.
deciding_parts(Kind, Part, N, P, Args, Holds, Parts) :-
    (   joins(Kind, Part, N, Said)
    ->  joined_holds(Said, Holds, Together),
        findall(Reason,
                (   line(Kind, Part, N/K, _, _, _),
                    looked_at(Kind, Part, N/K, P, Args, Reason),
                    Reason = reason(_, _, Together, _, _)
                ),
                Parts)
    ;   Parts = []
    ).

joined_holds(said, Holds, Holds).
joined_holds(denied, true, false).
joined_holds(denied, false, true).

%!  way(+Start, :Step, +Item, -Way) is semidet.
%
%   Way is a shortest list of values from a member of Start to Item, each with a Step to the next.

way(Start, Step, Item, Way) :-
    findall([Member], member(Member, Start), Ways),
    way(Ways, Start, Step, Item, Way).

way(Ways, _, _, Item, Way) :-
    memberchk([Item|Back], Ways),
    !,
    reverse([Item|Back], Way).
way(Ways, Seen, Step, Item, Way) :-
    longer(Ways, Seen, Step, Longer),
    Longer \== [],
    findall(Value, member([Value|_], Longer), Values),
    append(Values, Seen, Seen1),
    way(Longer, Seen1, Step, Item, Way).

% The ways that go one step further, one for each new value.
longer(Ways, Seen, Step, Longer) :-
    findall(Next-[Next,Near|Back],
            (   member([Near|Back], Ways),
                call(Step, Near, Next),
                \+ memberchk(Next, Seen)
            ),
            Found),
    sort(1, @<, Found, Once),
    findall(Way, member(_-Way, Once), Longer).

reached(Start, Step, Reached) :-
    findall([Member], member(Member, Start), Ways),
    reached(Ways, Start, Step, All),
    sort(All, Reached).

reached(Ways, Seen, Step, Reached) :-
    longer(Ways, Seen, Step, Longer),
    (   Longer == []
    ->  Reached = Seen
    ;   findall(Value, member([Value|_], Longer), Values),
        append(Values, Seen, Seen1),
        reached(Longer, Seen1, Step, Reached)
    ).

% Up to twelve values, then how many more there are.
listed_words(Sort, Values, Text) :-
    findall(Word, (member(Value, Values), worded_(Sort, Value, Word)), Words),
    length(Words, Count),
    (   Count > 13
    ->  length(First, 12),
        append(First, _, Words),
        More is Count - 12,
        atomic_list_concat(First, ', ', Some),
        format(atom(Text), "~w and ~w more", [Some, More])
    ;   Words == []
    ->  Text = nothing
    ;   atomic_list_concat(Words, ', ', Text)
    ).

equation(Label, Places, Value, Text) :-
    maplist(place_word, Places, Words),
    format(atom(Place), Label, Words),
    (   Value == missing
    ->  format(atom(Text), "~w has no value", [Place])
    ;   Value == off_board
    ->  format(atom(Text), "~w is off the board", [Place])
    ;   Value = Sort-V,
        worded_(Sort, V, Word),
        format(atom(Text), "~w = ~w", [Place, Word])
    ).

place_word(Sort-V, Word) :-
    worded_(Sort, V, Word).

worded_(Sort, V, Word) :-
    (   worded(Sort, V, Word0)
    ->  Word = Word0
    ;   Word = V
    ).

distinct([], []).
distinct([X|Xs], [X|Ys]) :-
    exclude_equal(Xs, X, Rest),
    distinct(Rest, Ys).

exclude_equal([], _, []).
exclude_equal([Y|Ys], X, Rest) :-
    (   Y == X
    ->  Rest = Rest1
    ;   Rest = [Y|Rest1]
    ),
    exclude_equal(Ys, X, Rest1).

%!  answered(+In, -Out) is det.
%
%   In is a limit, a goal for holds/2 in text, then a position.  Out has a line for each solution: the
%   variables in order, as Name=word, separated by tabs.  A capital word that is a name of the game is it.

answered(In, Out) :-
    question_and_position(In, Text, P),
    split_string(Text, "\n", "", [LimitText|Parts]),
    atomic_list_concat(Parts, '\n', GoalText),
    number_string(Limit, LimitText),
    term_string(Goal, GoalText, [variable_names(Variables)]),
    (   Goal == end_of_file
    ->  throw(error(pysolve(nothing_asked), _))
    ;   true
    ),
    own_names(Variables, Free),
    findnsols(Limit, Line, solution(P, Goal, Free, Line), Lines),
    !,
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Out).

own_names([], []).
own_names([Name=Var|Rest], Free) :-
    (   name(_, _, Name)
    ->  Var = Name,
        Free = Free1
    ;   Free = [Name=Var|Free1]
    ),
    own_names(Rest, Free1).

solution(P, Goal, Free, Line) :-
    holds(P, Goal),
    findall(Word, (member(Name=Value, Free), format(atom(Word), "~w=~w", [Name, Value])), Words),
    atomic_list_concat([yes|Words], '\t', Line).

% A text, a line of its own with just `----`, and a position.
question_and_position(In, Text, P) :-
    sub_string(In, Before, 6, After, "\n----\n"),
    !,
    sub_string(In, 0, Before, _, Text),
    sub_string(In, _, After, 0, State),
    string_codes(State, Codes),
    decode(Codes, P).

% Each question under a limit of inferences, which the engine states behind the game.
limited_expand(In, Out) :- limited(expand(In, Out)).
limited_look(In, Out) :- limited(look(In, Out)).
limited_result(In, Out) :- limited(result(In, Out)).
limited_played(In, Out) :- limited(played(In, Out)).
limited_start(In, Out) :- limited(start(In, Out)).
limited_estimate(In, Out) :- limited(estimated(In, Out)).
limited_judge(In, Out) :- limited(judged(In, Out)).
limited_stand(In, Out) :- limited(stood(In, Out)).
limited_explain(In, Out) :- limited(explained(In, Out)).
limited_answer(In, Out) :- limited(answered(In, Out)).

limited(Goal) :-
    inference_limit(Limit),
    call_with_inference_limit(Goal, Limit, Result),
    (   Result == inference_limit_exceeded
    ->  throw(error(pysolve(inference_limit(Limit)), _))
    ;   !
    ).
