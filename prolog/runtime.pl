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

%!  steps(+Start, +Goal, :Step, +Shift, +Count, -Steps) is semidet.
%
%   Steps is how often Step leads from a member of Start to one of Goal, at least.  It fails where no way leads there.

steps(Start, Goal, Step, Shift, Count, Steps) :-
    functor(Marks, marks, Count),
    findall(Near,
            (   member(Near, Start),
                marked(Near, Shift, Marks)
            ),
            Layer),
    steps_on(Layer, Goal, Step, Shift, Marks, 0, Steps).

steps_on(Layer, Goal, _, _, _, So, Steps) :-
    member(Near, Layer),
    memberchk(Near, Goal),
    !,
    Steps = So.
steps_on([Near|Layer], Goal, Step, Shift, Marks, So, Steps) :-
    findall(Next,
            (   member(From, [Near|Layer]),
                call(Step, From, Next),
                marked(Next, Shift, Marks)
            ),
            Further),
    So1 is So + 1,
    steps_on(Further, Goal, Step, Shift, Marks, So1, Steps).

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

