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
    after_in_turn(Mover, Other),
    with_mover(P, Other, Next0),
    kept_slot(Kept),
    (   Kept =:= 0
    ->  Next = Next0
    ;   setarg(Kept, Next0, 0),
        Next = Next0
    ).

:- if(current_predicate(seats/1)).
after_in_turn(Player, Next) :-
    next(Player, Next).

%!  passed_on(+P, +W0, +W1, -W) is det.
%
%   Behind the changes of a move, between W0 and W1, stand those by which the turn passes over who is out, and the
%   position remembers who has moved.

passed_on(P, W0, W1, W) :-
    passed(P, Next),
    patched(Next, W0, W1, Q0),
    arg(1, P, Mover),
    arg(1, Q0, First),
    next(Mover, Second),
    seats(Count),
    (   not_out(Count, First, Q0, Who)
    ->  moved(Who, Second, Mover, Moved),
        passed_codes(Who, Moved, W1, W)
    ;   moved(First, Second, Mover, Moved),
        passed_codes(First, Moved, W1, W),
        patched(Next, W0, W, Q),
        all_out(Q)
    ).

% What the position remembers: nothing where the turn has passed to the next player.
moved(Who, Second, Mover, Moved) :-
    (   Who =:= Second
    ->  Moved = 0
    ;   Moved = Mover
    ).

% Of Count players from First on, Who is the first who is not out.
not_out(Count, First, P, Who) :-
    Count > 0,
    with_mover(P, First, P1),
    (   is_out(P1)
    ->  Rest is Count - 1,
        next(First, Second),
        not_out(Rest, Second, P, Who)
    ;   Who = First
    ).

% Everybody is out: then the game must have ended.
all_out(P) :-
    (   over(P, _, _)
    ->  true
    ;   out_line(Line),
        throw(error(pysolve(all_out(Line)), _))
    ).

% The beginning: who is out does not begin.
set_up(P) :-
    arg(1, P, First),
    seats(Count),
    (   not_out(Count, First, P, Who)
    ->  nb_setarg(1, P, Who),
        kept_slot(Kept),
        (   Kept > 0,
            Who =\= First
        ->  next(Last, First),
            nb_setarg(Kept, P, Last)
        ;   true
        )
    ;   all_out(P)
    ).
:- else.
after_in_turn(Player, Next) :-
    opponent(Player, Next).
:- endif.

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
:- if(current_predicate(seats/1)).
just_moved(P, P1) :-
    kept_slot(Kept),
    (   Kept =\= 0,
        arg(Kept, P, Last),
        Last > 0
    ->  true
    ;   arg(1, P, Mover),
        next(Last, Mover),
        !
    ),
    with_mover(P, Last, P1).
:- else.
just_moved(P, P1) :-
    arg(1, P, Mover),
    kept_slot(Kept),
    (   Kept =\= 0,
        arg(Kept, P, 1)
    ->  P1 = P
    ;   opponent(Mover, Last),
        with_mover(P, Last, P1)
    ).
:- endif.

% ---------------------------------------------------------------------------------------------- results
%
%   A result is 0 for a draw, the number of the player who alone wins, 1 << 24 with a bit for each player who shares
%   the first place, or 1 << 25 with the place of each player, less 1, in three bits.

%!  first_by(+Kinds, +Rows, -First) is det.
%
%   First are the players who are first by the first row of numbers; of these those who are by the second, …

first_by(Kinds, [Row|Rows], First) :-
    length(Row, Count),
    numlist(1, Count, All),
    first_by(Kinds, [Row|Rows], All, First).

first_by([], [], First, First).
first_by([Kind|Kinds], [Row|Rows], Players, First) :-
    findall(Value, (member(Player, Players), nth1(Player, Row, Value)), Values),
    (   Kind == most
    ->  max_list(Values, Best)
    ;   min_list(Values, Best)
    ),
    findall(Player, (member(Player, Players), nth1(Player, Row, Best)), Left),
    first_by(Kinds, Rows, Left, First).

%!  shared_by(+Players, -Result) is det.
%
%   Result is that these players share the first place, and nobody else.

shared_by([Player], Result) :-
    !,
    Result = Player.
shared_by(Players, Result) :-
    length(Players, Count),
    seats(All),
    (   Count =:= All
    ->  Result = 0
    ;   findall(Bit, (member(Player, Players), Bit is 1 << (Player - 1)), Bits),
        sum_list(Bits, Sum),
        shared(Shared),
        Result is Shared + Sum
    ).

% All but one win; a lone player simply loses.
losing(Player, Result) :-
    seats(Count),
    findall(Other, (between(1, Count, Other), Other =\= Player), Others),
    shared_by(Others, Result).

%!  ranked_by(+Kinds, +Rows, -Result) is det.
%
%   Result has the place of each player by rows of numbers, of which the first that differs decides.

ranked_by(Kinds, Rows, Result) :-
    seats(Count),
    place_bits(Bits),
    findall(Rank,
            (   between(1, Count, One),
                between(1, Count, Other),
                before(Kinds, Rows, Other, One),
                Rank is 1 << (Bits * (One - 1))
            ),
            All),
    sum_list(All, Ranks),
    (   Ranks =:= 0
    ->  Result = 0
    ;   ranked(Ranked),
        Result is Ranks + Ranked
    ).

before([Kind|Kinds], [Row|Rows], One, Other) :-
    nth1(One, Row, Value),
    nth1(Other, Row, Value1),
    (   Value =:= Value1
    ->  before(Kinds, Rows, One, Other)
    ;   Kind == most
    ->  Value > Value1
    ;   Value < Value1
    ).

%!  paid(+Values, -Result) is det.
%
%   Result is that each player gets his value: it holds those of all but the last, who gets what is left.

paid(Values, Result) :-
    (   forall(member(Value, Values), Value =:= 0)
    ->  Result = 0
    ;   paid_bits(Bits),
        amounts(First),
        (   append(Held, [_], Values),
            Held \== []
        ->  true
        ;   Held = Values
        ),
        reverse(Held, Backwards),           % the first player has the lowest bits
        foldl(held_with(Bits), Backwards, 0, All),
        Result is First + All
    ).

held_with(Bits, Value, N0, N) :-
    N is (N0 << Bits) + Value + (1 << (Bits - 1)).

% The payoffs that a result holds.
paid_values(Result, Values) :-
    seats(Count),
    amounts(First),
    paid_bits(Bits),
    Last is max(0, Count - 2),
    findall(Value,
            (   between(0, Last, At),
                Value is (((Result - First) >> (Bits * At)) /\ ((1 << Bits) - 1)) - (1 << (Bits - 1))
            ),
            Held),
    (   Count =:= 1
    ->  Values = Held
    ;   sum_list(Held, Sum),
        Rest is -Sum,
        append(Held, [Rest], Values)
    ).

% The bits that hold the payoff of one player.
paid_bits(Bits) :-
    seats(Count),
    most_paid(Most),
    paid_in_all(All),
    Bits is min(msb(Most) + 2, All // max(1, Count - 1)).

% What the rules pay adds up to zero.
adds_up(Values, Line) :-
    (   sum_list(Values, 0)
    ->  true
    ;   throw(error(pysolve(mispaid(Line)), _))
    ).

% A result in codes below 255.
result_codes(Result, Codes) :-
    (   Result < 255
    ->  Codes = [Result]
    ;   Result < 255 ** 4
    ->  findall(Code, (member(Power, [3, 2, 1, 0]), Code is Result // 255 ** Power mod 255), Codes)
    ;   findall(Code, (member(Power, [6, 5, 4, 3, 2, 1, 0]), Code is Result // 255 ** Power mod 255), Codes)
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

:- if(current_predicate(candidate/2)).
%!  preferred(+P, +Move) is semidet.
%
%   Of the moves of which the best are legal, none begins a turn that is worth more.

preferred(P, Move) :-
    longest_turn(Ahead),
    worth(P, Move, Ahead, Worth),
    best(P, Ahead, Best),
    Worth >= Best.


%!  worth(+P, +Move, +Ahead, -Worth) is det.
%
%   Worth is what a move is worth, and what the best moves with which the same player goes on are worth.

worth(P, Move, Ahead, Worth) :-
    (   own_worth(P, Move, Own)
    ->  true
    ;   Own = 0
    ),
    (   Ahead > 0,
        goes_on(P, Move, Q),
        Ahead1 is Ahead - 1,
        best(Q, Ahead1, Rest)
    ->  Worth is Own + Rest
    ;   Worth = Own
    ).

% A mistake in the effects of a move is found when it is carried out.
goes_on(P, Move, Q) :-
    arg(1, P, Mover),
    after_in_turn(Mover, Next),
    Next =\= Mover,
    catch(after(P, Move, Q), error(pysolve(_), _), fail),
    arg(1, Q, Mover).

best(P, Ahead, Best) :-
    findall(Worth, (candidate(P, Move), worth(P, Move, Ahead, Worth)), All),
    max_list(All, Best).
:- endif.

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

% ---------------------------------------------------------------------------------------------- stacks

%!  stacked(+P, +Done, -W0, -W) is det.
%
%   Done is the list of bytes and values that a round changes, among them what it does with stacks, in this order:
%   push(Value, Stack, Line), drop(Count, Stack, Line), take(Count, Stack, Onto, Line).  Between the lists W0 and W are
%   the same bytes and values, and then those of the stacks.
%
%   A stack is  stack(Place, Slot, Top, Height, Items, Most, Shift, Name, None): its place from 0 among those of a state
%   variable, whose arguments of state/N are Slot and the two behind it; the bytes where the tops, the heights and what
%   lies in the stacks begin; how high it may be.

stacked(P, Done, W0, W) :-
    done(Done, P, [], Stacks, W0, W1),
    stack_codes(Stacks, P, W1, W).

done([], _, Stacks, Stacks, W, W).
done([Code|Codes], P, Stacks0, Stacks, W0, W) :-
    (   integer(Code)
    ->  W0 = [Code|W1],
        Stacks1 = Stacks0
    ;   W0 = W1,
        stack_done(Code, P, Stacks0, Stacks1)
    ),
    done(Codes, P, Stacks1, Stacks, W1, W).

% What lies in the stacks that have changed, from above.
stack_done(push(Value, Stack, Line), P, Stacks0, Stacks) :-
    lying(Stack, P, Stacks0, Values, Stacks1),
    stack_limit([Value|Values], Stack, Line),
    Stacks = [Stack-[Value|Values]|Stacks1].
stack_done(drop(Count, Stack, Line), P, Stacks0, [Stack-Rest|Stacks]) :-
    lying(Stack, P, Stacks0, Values, Stacks),
    taken(Count, Values, Stack, Line, _, Rest).
stack_done(take(Count, Stack, Onto, Line), P, Stacks0, Stacks) :-
    lying(Stack, P, Stacks0, Values, Stacks1),
    taken(Count, Values, Stack, Line, Taken, Rest),
    lying(Onto, P, [Stack-Rest|Stacks1], Values2, Stacks2),
    append(Taken, Values2, Values3),
    stack_limit(Values3, Onto, Line),
    Stacks = [Onto-Values3|Stacks2].

taken(Count, Values, Stack, Line, Taken, Rest) :-
    length(Values, Height),
    Left is Height - Count,
    (   Left >= 0
    ->  length(Taken, Count),
        append(Taken, Rest, Values)
    ;   stack_height(Left, Stack, Line)
    ).

stack_limit(Values, Stack, Line) :-
    length(Values, Height),
    stack_height(Height, Stack, Line).

stack_height(Height, stack(_, _, _, _, _, Most, _, Name, _), Line) :-
    in_range(Height, 0, Most, Name, Line).

lying(Stack, P, Stacks0, Values, Stacks) :-
    (   selectchk(Stack-Values0, Stacks0, Stacks1)
    ->  Values = Values0,
        Stacks = Stacks1
    ;   Stacks = Stacks0,
        stack_values(Stack, P, Values)
    ).

stack_values(stack(Place, Slot, _, _, _, Most, _, _, _), P, Values) :-
    HeightSlot is Slot + 1,
    ItemsSlot is Slot + 2,
    arg(HeightSlot, P, Heights),
    place_value(Heights, Place, Height),
    arg(ItemsSlot, P, Items),
    First is Place * Most + Height,
    values_down(Height, First, Items, Values).

values_down(0, _, _, []) :-
    !.
values_down(Left, At, Items, [Value|Values]) :-
    arg(At, Items, Value),
    Left1 is Left - 1,
    At1 is At - 1,
    values_down(Left1, At1, Items, Values).

% The value of a place from 0 of a state variable with arguments, or the only one.
place_value(Held, Place, Value) :-
    (   compound(Held)
    ->  At is Place + 1,
        arg(At, Held, Value)
    ;   Value = Held
    ).

% Which numbers of a stack change: Slot-Place-Value for its top, its height, and each place in it.
stack_change(Stack, Values, P, Part-At-Value) :-
    Stack = stack(Place, _, _, _, _, Most, _, _, None),
    length(Values, Height),
    stack_values(Stack, P, Values0),
    length(Values0, Height0),
    reverse(Values, Lying),
    reverse(Values0, Lying0),
    (   (   Values = [Top|_] -> true ; Top = None ),
        (   Values0 = [Top0|_] -> true ; Top0 = None ),
        Top =\= Top0,
        Part-At-Value = 0-Place-Top
    ;   Height =\= Height0,
        Part-At-Value = 1-Place-Height
    ;   Highest is max(Height, Height0),
        between(1, Highest, K),
        (   nth1(K, Lying, Value) -> true ; Value = None ),
        (   nth1(K, Lying0, Value0) -> true ; Value0 = None ),
        Value =\= Value0,
        Part = 2,
        At is Place * Most + K - 1
    ).

stack_codes([], _, W, W).
stack_codes([Stack-Values|Stacks], P, W0, W) :-
    Stack = stack(_, _, Top, Heights, Items, _, Shift, _, _),
    address_digits(Digits),
    findall(Codes,
            (   stack_change(Stack, Values, P, Part-At-Value),
                (   Part =:= 1
                ->  Byte is Heights + At,
                    Code = Value
                ;   (   Part =:= 0 -> Byte is Top + At ; Byte is Items + At ),
                    Code is Value + Shift
                ),
                (   Digits =:= 1
                ->  Codes = [Byte, Code]
                ;   High is Byte // 255,
                    Low is Byte mod 255,
                    Codes = [High, Low, Code]
                )
            ),
            Changes),
    joined(Changes, W0, W1),
    stack_codes(Stacks, P, W1, W).

%!  stacked_now(!P, +Done) is det.
%
%   Does one thing with stacks in the setup, which changes the position in place.

stacked_now(P, Done) :-
    stack_done(Done, P, [], Stacks),
    findall(Stack-Change,
            (   member(Stack-Values, Stacks),
                stack_change(Stack, Values, P, Change)
            ),
            Changes),
    forall(member(stack(_, Slot, _, _, _, _, _, _, _)-(Part-At-Value), Changes),
           (   Argument is Slot + Part,
               arg(Argument, P, Held),
               (   compound(Held)
               ->  Inside is At + 1,
                   nb_setarg(Inside, Held, Value)
               ;   nb_setarg(Argument, P, Value)
               )
           )).

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

