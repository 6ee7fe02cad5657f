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
    result_codes(Winner, Codes),
    Reply = [Number|Codes].
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
    ->  result_codes(Winner, Result),
        Reply = [Number|Result]
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
    ->  result_codes(Winner, Result),
        Reply = [Number|Result]
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
    ->  effect(pass, P, Changes, []),
        turn_changes(P, Reply, [255, Code|Changes])
    ;   stuck_code(Number),
        stuck(P, Winner),
        result_codes(Winner, Codes),
        Reply = [Number|Codes]
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
%   Out is the value of a position for the first player, as text; of other than two players the values for all of them.

estimated(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    (   several(Count)
    ->  findall(Value, (between(1, Count, Player), estimate(P, Player, Value)), Values),
        atomic_list_concat(Values, ' ', Text),
        atom_string(Text, Out)
    ;   estimate(P, 1, Value),
        format(string(Out), "~w", [Value])
    ).

:- if(current_predicate(seats/1)).
several(Count) :-
    seats(Count),
    Count =\= 2.
:- else.
several(_) :-
    fail.
:- endif.

%!  judged(+In, -Out) is det.
%
%   In is "turns times " and a position; Out is the ending and the winner as in expand/2, or empty.

judged(In, Out) :-
    split_string_twice(In, Turns, Times, Codes),
    decode(Codes, P),
    (   over(P, Turns, Times, Number, Winner)
    ->  result_codes(Winner, Result),
        string_codes(Out, [Number|Result])
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

% So many values, then how many more there are.
listed_words(Sort, Values, Text) :-
    most_listed(Most),
    findall(Word, (member(Value, Values), worded_(Sort, Value, Word)), Words),
    length(Words, Count),
    (   Count > Most + 1
    ->  length(First, Most),
        append(First, _, Words),
        More is Count - Most,
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

%!  outs(+In, -Out) is det.
%
%   In is a position, Out the numbers of the players who are out in it, separated by spaces.

outs(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    seats(Count),
    findall(Who, (between(1, Count, Who), with_mover(P, Who, P1), is_out(P1)), Outs),
    atomic_list_concat(Outs, ' ', Text),
    atom_string(Text, Out).

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
limited_outs(In, Out) :- limited(outs(In, Out)).

limited(Goal) :-
    inference_limit(Limit),
    call_with_inference_limit(Goal, Limit, Result),
    (   Result == inference_limit_exceeded
    ->  throw(error(pysolve(inference_limit(Limit)), _))
    ;   !
    ).
