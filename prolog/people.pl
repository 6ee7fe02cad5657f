% ------------------------------------------------------------------ The runtime of every generated game
%
% Three files stand behind the clauses of a game, in the same module: people.pl answers in words (initial/1,
% legal/2, …), runtime.pl has what the clauses themselves call, programs.pl answers in bytes (expand/2, …).
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
    result_term(Winner, Outcome).

%!  result_term(+Result, -Outcome) is det.
%
%   Outcome is draw, win(Player), share(Players), lose (of a lone player), places(Players), each with his place, or
%   pays(Players), each with what he gets.

result_term(0, Outcome) :-
    !,
    Outcome = draw.
result_term(Result, Outcome) :-
    amounts(First),
    Result >= First,
    !,
    paid_values(Result, Values),
    findall(Player-Value, (nth1(Number, Values, Value), name(player, Number, Player)), Amounts),
    Outcome = pays(Amounts).
result_term(Result, Outcome) :-
    shared(Shared),
    Result < Shared,
    !,
    once(name(player, Result, Player)),
    Outcome = win(Player).
result_term(Result, Outcome) :-
    ranked(Ranked),
    Result < Ranked,
    !,
    findall(Player, (name(player, Number, Player), Result /\ 1 << (Number - 1) =\= 0), Players),
    (   Players == []
    ->  Outcome = lose
    ;   Outcome = share(Players)
    ).
result_term(Result, places(Places)) :-
    place_bits(Bits),
    findall(Player-Place,
            (   name(player, Number, Player),
                Place is 1 + (Result >> (Bits * (Number - 1)) /\ (1 << Bits) - 1)
            ),
            Places).

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

