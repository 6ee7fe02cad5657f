% Tests of the runtime (people.pl, runtime.pl, programs.pl), behind the clauses of Zola on 4x4; tests/test_engines.py loads both.

:- use_module(library(plunit)).

inference_limit(10000).

next_to(A, B) :-
    member(Step, [1, -1]),
    B is A + Step,
    between(1, 5, B).

below(A, B) :-
    A > -1,
    B is A - 1.

:- begin_tests(for_people).

test('the initial position is known when it is seen') :-
    initial(P),
    assertion(initial(P)),
    play(P, capture(a1, b1), Q),
    assertion(\+ initial(Q)).

test('the first legal move in canonical order') :-
    initial(P),
    legal(P, Move),
    !,
    assertion(Move == capture(a1, b1)).

test('there are sixteen first moves, each once', Counts == [16, 16]) :-
    initial(P),
    findall(Move, legal(P, Move), Moves),
    sort(Moves, Sorted),
    maplist(length, [Moves, Sorted], Counts).

test('moves come in order of their cells', First == [capture(a1, b1), capture(a1, a2), capture(c1, b1)]) :-
    initial(P),
    findnsols(3, Move, legal(P, Move), First),
    !.

test('parts of a move may be known', all(To == [b1, a2])) :-
    initial(P),
    legal(P, capture(a1, To)).

test('a known move is legal or not') :-
    initial(P),
    assertion(legal(P, capture(a1, a2))),
    assertion(\+ legal(P, capture(a1, c1))).

test('a move that does not exist is a mistake', error(pysolve(unknown_move(castle)))) :-
    initial(P),
    legal(P, castle).

test('play changes the board and the mover') :-
    initial(P),
    play(P, capture(a1, a2), Q),
    assertion(to_move(Q, 'Blue')),
    assertion(value(Q, at(a2), 'Red')),
    assertion(value(Q, at(a1), none)),
    assertion(value(P, at(a1), 'Red')).

test('play finds moves too', Count == 16) :-
    initial(P),
    aggregate_all(count, play(P, _, _), Count).

test('play finds the move that leads somewhere', all(Move == [capture(c1, b1)])) :-
    initial(P),
    play(P, capture(c1, b1), Q),
    play(P, Move, Q).

test('a move does not lead elsewhere', fail) :-
    initial(P),
    play(P, capture(c1, b1), Q),
    play(P, capture(a1, b1), Q).

test('whether one may pass can be asked') :-
    initial(P),
    assertion(\+ holds(P, pass)),
    Q = state(2, at(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)),
    assertion(holds(Q, pass)).

test('value runs backwards', all(Cell == [a1, c1, b2, d2, a3, c3, b4, d4])) :-
    initial(P),
    value(P, at(Cell), 'Red').

test('a state without arguments is a place too', [nondet, true(Mover == 'Red')]) :-
    initial(P),
    value(P, mover, Mover).

test('the game is not over at the start', fail) :-
    initial(P),
    outcome(P, _).

test('who has no checker has lost', Outcome == win('Red')) :-
    lonely(P),
    outcome(P, Outcome).

test('a finished game has no legal move', fail) :-
    lonely(P),
    legal(P, _).

test('a definition can be asked for any of its arguments', all(Cell == [b2, c2, b3, c3])) :-
    initial(P),
    holds(P, distance(Cell, 2)).

test('an equation asks for a value', [nondet, true(D == 18)]) :-
    initial(P),
    holds(P, distance(a1) = D).

test('goals are joined, denied and compared', all(Cell == [a1, d4])) :-
    initial(P),
    holds(P, ( at(Cell) = 'Red', distance(Cell) > 10, \+ neighbours(Cell, d1), \+ at(Cell) = none )).

test('one goal or the other', all(Cell == [a1, b1])) :-
    initial(P),
    holds(P, ( at(a1, 'Red'), Cell = a1 ; Cell = b1 )).

test('an unknown question is a mistake', error(pysolve(unknown_question(colour, 1)))) :-
    initial(P),
    holds(P, colour(_)).

test('an unknown word is a mistake', error(pysolve(unknown_word(cell, z9)))) :-
    initial(P),
    holds(P, at(z9, _)).

test('perft', Counts == [1, 16, 256, 3836]) :-
    initial(P),
    findall(N, (between(0, 3, Depth), perft(P, Depth, N)), Counts).

test('nothing is counted at a negative depth', error(type_error(nonneg, -1))) :-
    initial(P),
    perft(P, -1, _).

test('why is asked about one move', error(instantiation_error)) :-
    initial(P),
    why(P, retreat(a1, _)).

test('why names the line, the values and the reason') :-
    initial(P),
    with_output_to(string(Text), why(P, retreat(a1, a2))),
    assertion(sub_string(Text, _, _, _, "FAILS")),
    assertion(sub_string(Text, _, _, _, "at(a2) = Blue")),
    assertion(sub_string(Text, _, _, _, "a retreat ends on an empty square")).

test('show draws the board') :-
    initial(P),
    with_output_to(string(Text), show(P)),
    assertion(Text == "Red to move\n B R B R\n R B R B\n B R B R\n R B R B\n").

test('aligned and between are known even where no rule looks at lines', all(Cell == [b2, c3])) :-
    initial(P),
    holds(P, between(a1, d4, Cell)).

% Red alone, and Blue to move.
lonely(P) :-
    P = state(2, at(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).

:- end_tests(for_people).

:- begin_tests(for_programs).

test('a start can be expanded', Kinds == [1]) :-
    start("0", In),
    expand(In, Out),
    string_codes(Out, [0, 0, 2|Codes]),
    findall(Kind, append(_, [255, Kind|_], Codes), All),
    sort(All, Kinds).

test('decode and encode are inverse') :-
    start("0", In),
    string_codes(In, Codes),
    decode(Codes, P),
    encode(P, Codes1),
    assertion(Codes == Codes1).

test('an over game gives its ending and its winner', Codes == [1, 1]) :-
    string_codes(In, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    expand(In, Out),
    string_codes(Out, Codes).

test('who has no move passes', Codes == [0, 0, 1, 255, 2]) :-
    string_codes(In, [2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]),
    expand(In, Out),
    string_codes(Out, Codes).

test('a value is estimated for the first player', Out == "0") :-
    start("0", In),
    estimated(In, Out).

test('a judgement without a reason is empty', Out == "") :-
    start("0", In),
    string_concat("7 1 ", In, Question),
    judged(Question, Out).

test('an explanation has a line for each demand', Count == 4) :-
    start("0", In),
    string_concat("retreat(1,2)\n----\n", In, Question),
    explained(Question, Out),
    split_string(Out, "\n", "", Lines),
    length(Lines, Count).

test('an answer has a line for each solution', Lines == ["yes\tC=a1", "yes\tC=d1"]) :-
    start("0", In),
    string_concat("2\ndistance(C) = 18\n----\n", In, Question),
    answered(Question, Out),
    split_string(Out, "\n", "", Lines).

test('a limit of inferences ends a question', error(pysolve(inference_limit(_)))) :-
    initial(P),
    limited(perft(P, 5, _)).

:- end_tests(for_programs).

:- begin_tests(parts).

test('reach is ordered and takes each member once', Set == [1, 2, 3, 4, 5]) :-
    reach([3], next_to, 0, 5, Set).

test('reach starts from several', Set == [1, 2, 3, 4, 5]) :-
    reach([5, 1], next_to, 0, 5, Set).

test('steps are counted along a shortest way', Steps == 2) :-
    steps([3], [1, 5], next_to, 0, 5, Steps).

test('no steps lead to where one is', Steps == 0) :-
    steps([2, 4], [4], next_to, 0, 5, Steps).

test('steps may lead below one', Steps == 3) :-
    steps([2], [-1], below, 2, 4, Steps).

test('no way leads there', fail) :-
    steps([-1], [2], below, 2, 4, _).

test('nothing leads anywhere', fail) :-
    steps([], [2], below, 2, 4, _).

test('reach may lead below one', Set == [-1, 0, 1, 2]) :-
    reach([2], below, 2, 4, Set).

test('an answer is known to all members while what decides it stays', Known =@= known(_, [2, 3], [2, 3], _)) :-
    Decides = at(1, 2, 2, 1),
    known(asked, Decides, 4, Known0),
    told([2, 3], [2, 3], 0, Known0),
    known(asked, Decides, 4, Known).

test('of another term nothing is known', Known =@= known(_, _)) :-
    Decides = at(1, 1),
    duplicate_term(Decides, Other),
    known(asked, Decides, 2, Known0),
    told([1], [1], 0, Known0),
    known(asked, Other, 2, Known).

test('where terms change in place, nothing is kept', Known =@= known(_, _)) :-
    b_setval(known_for_now, true),
    Decides = at(1, 1),
    known(asked, Decides, 2, Known0),
    told([1], [1], 0, Known0),
    known(asked, Decides, 2, Known),
    b_setval(known_for_now, false).

test('joined changes form one list', W == [1, 2, 3, 4|T]) :-
    joined([[1, 2], [], [3, 4]], W, T).

test('a patch leaves the old position as it was') :-
    initial(P),
    copy_term(P, Old),
    patched(P, [0, 2, 1, 0, 2, 1|T], T, Q),
    assertion(P == Old),
    assertion(to_move(Q, 'Blue')),
    assertion(value(Q, at(b1), 'Red')).

test('positions share what a patch does not change') :-
    initial(P),
    patched(P, [0, 2|T], T, Q),
    arg(2, P, At),
    arg(2, Q, Same),
    assertion(same_term(At, Same)).

% The first numbers of splitmix64 from seed 0, as published.
test('lots are those of splitmix64', Bits == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]) :-
    lots(0, R),
    findall(B, (between(1, 3, _), draw(R, B)), Bits).

test('a lot is drawn from what is found, and from the seed alone') :-
    findall(Items, (member(Seed, [7, 7, 8]), drawn_lots(Seed, Items)), [Seven, Again, Eight]),
    assertion(Seven == Again),
    assertion(Seven \== Eight),
    sort(Seven, All),
    assertion(All == [a, b, c]).

drawn_lots(Seed, Items) :-
    lots(Seed, R),
    findall(X, (between(1, 20, _), pick(R, [c, a, b, a], 1, X)), Items).

test('nothing to pick is a mistake', error(pysolve(nothing_to_pick(12)))) :-
    lots(1, R),
    pick(R, [], 12, _).

test('a value out of range is a mistake', error(pysolve(out_of_range(stones, 21, 0, 20, 9)))) :-
    in_range(21, 0, 20, stones, 9).

test('mobility is that of any player', [Red, Blue] == [16, 16]) :-
    initial(P),
    mobility(P, 1, Red),
    mobility(P, 2, Blue).

test('words and numbers', [N, W] == [2, 'Blue']) :-
    numbered(named(player, 1, 2), 'Blue', N),
    worded(named(player, 1, 2), 2, W).

test('none is a word', [N, W] == [0, none]) :-
    numbered(optional(named(player, 1, 2), 0), none, N),
    worded(optional(named(player, 1, 2), 0), 0, W).

test('a number out of its range is none', fail) :-
    numbered(number(1, 4), 7, _).

:- end_tests(parts).
