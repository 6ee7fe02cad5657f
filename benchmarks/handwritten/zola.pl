:- module(handwritten_zola,
          [ expand/2                    % +State, -Reply
          ]).

:- use_module(library(lists), [member/2]).

/** <module> Zola on 6x6, written by hand from tables

State and Reply are strings of bytes.  State holds the mover (1 is Red, 2
is Blue) and one byte for each cell, a1, b1, ..., f6: 0, or the player
whose checker is there.  A cell's number, from 1, is also its byte's index.

Reply holds one of

  - [1,Winner]
  - [0,NextMover|Records], with a record for each move in canonical order:
    [255,1,From,To|Patch] for a retreat, [255,2,From,To|Patch] for a
    capture, [255,3] for a pass.  Patch is Index,Value,... and leaves out
    byte 0.
*/

:- det(expand/2).

%!  expand(+State, -Reply) is det.
%
%   Reply is the result in State, or else its moves.

expand(State, Reply) :-
    string_codes(State, [Mover|Cells]),
    enemy(Mover, Enemy),
    (   \+ memberchk(Enemy, Cells)
    ->  Codes = [1,Mover]
    ;   \+ memberchk(Mover, Cells)
    ->  Codes = [1,Enemy]
    ;   compound_name_arguments(At, at, Cells),
        moves(Cells, 1, Mover, Enemy, At, Moves, Captures, Captures, []),
        (   Moves == []
        ->  Codes = [0,Enemy,255,3]
        ;   Codes = [0,Enemy|Moves]
        )
    ),
    string_codes(Reply, Codes).

enemy(1, 2).
enemy(2, 1).

%!  moves(+Cells, +From, +Mover, +Enemy, +At, -Rs0, ?Rs, -Cs0, ?Cs) is det.
%
%   Rs0-Rs are the records of the retreats and Cs0-Cs those of the captures
%   that start on the cells numbered From and up, which hold Cells.

moves([], _, _, _, _, Rs, Rs, Cs, Cs).
moves([Owner|Cells], From, Mover, Enemy, At, Rs0, Rs, Cs0, Cs) :-
    (   Owner == Mover
    ->  cell(From, Outward, Rays),
        retreats(Outward, From, Mover, At, Rs0, Rs1),
        targets(Rays, Enemy, At, Targets),
        captures(Targets, From, Mover, Cs0, Cs1)
    ;   Rs0 = Rs1,
        Cs0 = Cs1
    ),
    From1 is From+1,
    moves(Cells, From1, Mover, Enemy, At, Rs1, Rs, Cs1, Cs).

%!  retreats(+Outward, +From, +Mover, +At, -Rs0, ?Rs) is det.
%
%   Rs0-Rs are the records of the steps from From to the empty cells among
%   Outward.

retreats([], _, _, _, Rs, Rs).
retreats([To|Outward], From, Mover, At, Rs0, Rs) :-
    arg(To, At, Owner),
    (   Owner == 0
    ->  Rs0 = [255,1,From,To,From,0,To,Mover|Rs1]
    ;   Rs0 = Rs1
    ),
    retreats(Outward, From, Mover, At, Rs1, Rs).

%!  targets(+Rays, +Enemy, +At, -Targets) is det.
%
%   Targets are the cells where one of Rays meets an enemy first.

targets([], _, _, []).
targets([Ray|Rays], Enemy, At, Targets) :-
    targets_(Ray, Rays, Enemy, At, Targets).

targets_([], Rays, Enemy, At, Targets) :-
    targets(Rays, Enemy, At, Targets).
targets_([Cell|Ray], Rays, Enemy, At, Targets) :-
    arg(Cell, At, Owner),
    (   Owner == 0
    ->  targets_(Ray, Rays, Enemy, At, Targets)
    ;   Owner == Enemy
    ->  Targets = [Cell|Targets1],
        targets(Rays, Enemy, At, Targets1)
    ;   targets(Rays, Enemy, At, Targets)
    ).

%!  captures(+Targets, +From, +Mover, -Cs0, ?Cs) is det.
%
%   Cs0-Cs are the records of the captures from From on Targets, in the
%   order of the cells.

captures(Targets, From, Mover, Cs0, Cs) :-
    (   Targets = [_,_|_]
    ->  sort(Targets, Sorted),
        captures_(Sorted, From, Mover, Cs0, Cs)
    ;   captures_(Targets, From, Mover, Cs0, Cs)
    ).

captures_([], _, _, Cs, Cs).
captures_([To|Targets], From, Mover, [255,2,From,To,From,0,To,Mover|Cs0], Cs) :-
    captures_(Targets, From, Mover, Cs0, Cs).


                /*******************************
                *            TABLES            *
                *******************************/

%!  cell(+Cell, -Outward, -Rays) is det.
%
%   Outward are the neighbours of Cell that are farther from the centre, in
%   order.  Rays has for each direction the cells that are not farther out,
%   nearest first, if there are any.  Along a line the distance falls before
%   it rises, so no cell farther out stands before these.  The facts replace
%   the term `cells` below.

term_expansion(cells, Facts) :-
    findall(cell(Cell, Outward, Rays),
            ( between(1, 36, Cell),
              cell_outward(Cell, Outward),
              cell_rays(Cell, Rays)
            ),
            Facts).

cell_outward(Cell, Outward) :-
    findall(To, ( cell_line(Cell, [To|_]), farther(To, Cell) ), Unsorted),
    sort(Unsorted, Outward).

cell_rays(Cell, Rays) :-
    findall(Ray,
            ( cell_line(Cell, Line),
              findall(To, ( member(To, Line), \+ farther(To, Cell) ), Ray),
              Ray \== []
            ),
            Rays).

%!  cell_line(+Cell, -Line) is multi.
%
%   Line is the list of all cells beyond Cell in one of the directions,
%   nearest first.

cell_line(Cell, Line) :-
    member(DX, [-1,0,1]),
    member(DY, [-1,0,1]),
    \+ ( DX == 0, DY == 0 ),
    cell_xy(Cell, X0, Y0),
    findall(To,
            ( between(1, 5, Distance),
              X is X0+Distance*DX,
              Y is Y0+Distance*DY,
              between(0, 5, X),
              between(0, 5, Y),
              To is 1+X+6*Y
            ),
            Line).

%!  farther(+Cell, +Than) is semidet.
%
%   True if Cell is farther from the centre than Than.

farther(Cell, Than) :-
    from_centre(Cell, D),
    from_centre(Than, Limit),
    D > Limit.

from_centre(Cell, D) :-
    cell_xy(Cell, X, Y),
    D is (2*X-5)^2+(2*Y-5)^2.

cell_xy(Cell, X, Y) :-
    X is (Cell-1) mod 6,
    Y is (Cell-1)//6.

cells.
