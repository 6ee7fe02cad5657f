:- module(handwritten_conga,
          [ expand/2                    % +State, -Reply
          ]).

:- use_module(library(lists), [nth1/3]).

/** <module> Conga on 4x4 (sowing adds), written by hand from tables

State and Reply are strings of bytes.  State holds the mover (1 is Black, 2
is White), the owners of the cells a1, b1, ..., d4 (0, or a player) and the
numbers of stones on them.  Cells are numbered from 1: the owner of cell C
is byte C, its stones are byte 16+C.

Reply holds one of

  - [1,Winner]
  - [0,NextMover|Records], with a record [255,1,From,Dir|Patch] for each
    move in canonical order.  Directions are 1 to 8, clockwise from north.
    Patch is Index,Value,... and leaves out byte 0.
*/

:- det(expand/2).

%!  expand(+State, -Reply) is det.
%
%   Reply is the result in State, or else its moves.

expand(State, Reply) :-
    string_codes(State, [Mover|Cells]),
    enemy(Mover, Enemy),
    compound_name_arguments(At, at, Cells),
    moves(Cells, 1, Mover, Enemy, At, Moves),
    (   Moves == []
    ->  Codes = [1,Enemy]
    ;   Codes = [0,Enemy|Moves]
    ),
    string_codes(Reply, Codes).

enemy(1, 2).
enemy(2, 1).

%!  moves(+Owners, +From, +Mover, +Enemy, +At, -Moves) is det.
%
%   Moves are the records of the moves that start on the cells numbered From
%   and up.  Owners begins with the owners of these cells.

moves(_, 17, _, _, _, []) :-
    !.
moves([Owner|Owners], From, Mover, Enemy, At, Moves) :-
    (   Owner == Mover
    ->  cell(From, Lines),
        sowings(Lines, From, Mover, Enemy, At, Moves, Moves1)
    ;   Moves = Moves1
    ),
    From1 is From+1,
    moves(Owners, From1, Mover, Enemy, At, Moves1).

%!  sowings(+Lines, +From, +Mover, +Enemy, +At, -Moves0, ?Moves) is det.
%
%   Moves0-Moves are the records of the moves from From along Lines.

sowings([], _, _, _, _, Moves, Moves).
sowings([line(Dir,Line)|Lines], From, Mover, Enemy, At, Moves0, Moves) :-
    Line = [To|_],
    arg(To, At, Owner),
    (   Owner == Enemy
    ->  Moves0 = Moves1
    ;   PileIndex is 16+From,
        arg(PileIndex, At, Pile),
        Moves0 = [255,1,From,Dir,From,0,PileIndex,0|Patch],
        sowing(Line, 1, Pile, Mover, Enemy, At, Patch, Moves1)
    ),
    sowings(Lines, From, Mover, Enemy, At, Moves1, Moves).

%!  sowing(+Line, +Portion, +Hand, +Mover, +Enemy, +At, -Patch0, ?Patch) is det.
%
%   Patch0-Patch is the change where Hand stones are sown along Line: Portion
%   stones on its first cell, which is open, one more on each further cell,
%   and all that are left on the last: where the line ends, an enemy
%   follows, or nothing would be left.

sowing([To|Line], Portion, Hand, Mover, Enemy, At, Patch0, Patch) :-
    Patch0 = [To,Mover,Index,Sum|Patch1],
    Index is 16+To,
    arg(Index, At, Stones),
    (   Hand > Portion,
        Line = [Next|_],
        arg(Next, At, Owner),
        Owner \== Enemy
    ->  Sum is Stones+Portion,
        Portion1 is Portion+1,
        Hand1 is Hand-Portion,
        sowing(Line, Portion1, Hand1, Mover, Enemy, At, Patch1, Patch)
    ;   Sum is Stones+Hand,
        Patch1 = Patch
    ).


                /*******************************
                *            TABLES            *
                *******************************/

%!  cell(+Cell, -Lines) is det.
%
%   Lines has a term line(Dir,Line) for each direction with room: Line is
%   the list of cells beyond Cell, nearest first, three at most.  The facts
%   replace the term `cells` below.

term_expansion(cells, Facts) :-
    findall(cell(Cell, Lines),
            ( between(1, 16, Cell),
              findall(line(Dir,Line), cell_line(Cell, Dir, Line), Lines)
            ),
            Facts).

cell_line(Cell, Dir, Line) :-
    nth1(Dir, [0/1,1/1,1/0,1/(-1),0/(-1),(-1)/(-1),(-1)/0,(-1)/1], DX/DY),
    findall(To,
            ( between(1, 3, Distance),
              X is (Cell-1) mod 4+Distance*DX,
              Y is (Cell-1)//4+Distance*DY,
              between(0, 3, X),
              between(0, 3, Y),
              To is 1+X+4*Y
            ),
            Line),
    Line \== [].

cells.
