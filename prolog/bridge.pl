:- module(pysolve_bridge,
          [ load_game/2,                % +ModuleAndText, -Messages
            unload_game/2,              % +Module, -Done
            interrupt/2,                % +ThreadAndWord, -Done
            idle/2                      % +In, -Done
          ]).
:- use_module(library(readutil), []).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

/** <module> What Python needs of Prolog beside the games themselves

Every predicate takes one string and gives one string, since that is all that crosses the border.
*/

:- thread_local
    loading/1,                          % Module: a game is being loaded
    trouble/1.                          % Text: what was wrong with it

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(compiler_warnings(_, Warnings), warning, _) :-
    pysolve_bridge:loading(_),
    \+ ( member(Warning, Warnings), \+ memberchk(Warning, [branch_singleton(_), negation_singleton(_)]) ),
    !.
user:message_hook(Term, Kind, Lines) :-
    memberchk(Kind, [error, warning]),
    pysolve_bridge:loading(_),
    Term \= initialization_exception(_),
    message_to_text(Lines, Text),
    assertz(pysolve_bridge:trouble(Text)).

message_to_text(Lines, Text) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

%!  load_game(+In, -Messages) is det.
%
%   In is the name of a module, a line with the name of a part, and the text of that part, which is loaded
%   into the module in place of what it was.  Messages is empty, or says what Prolog found wrong.

load_game(In, Messages) :-
    first_line(In, Module, In1),
    first_line(In1, Part, Text),
    game_id(Module, Part, Id),
    retractall(trouble(_)),
    setup_call_cleanup(
        ( assertz(loading(Module)),
          open_string(Text, Stream)
        ),
        ( set_stream(Stream, file_name(Id)),
          load_files(Module:Id, [stream(Stream), silent(true), optimise(true)])
        ),
        ( close(Stream),
          retractall(loading(_))
        )),
    findall(T, retract(trouble(T)), Ts),
    atomic_list_concat(Ts, '\n', Atom),
    atom_string(Atom, Messages).

first_line(In, Line, Rest) :-
    sub_string(In, Before, 1, After, "\n"),
    !,
    sub_atom(In, 0, Before, _, Line),
    sub_string(In, _, After, 0, Rest).

game_id(Module, Part, Id) :-
    atomic_list_concat(['/pysolve/', Module, '/', Part], Id).

%!  unload_game(+Module, -Done) is det.
%
%   Forgets the clauses of a game.  They are abolished first: in SWI-Prolog 9.0.4 a predicate of one clause goes on
%   answering after unload_file/1 alone, until it is loaded again.

unload_game(ModuleText, "") :-
    atom_string(Module, ModuleText),
    forall(own_predicate(Module, Name, Arity),
           abolish(Module:Name, Arity)),
    forall(( member(Part, [game, more]),
             game_id(Module, Part, Id)
           ),
           unload_file(Id)).

own_predicate(Module, Name, Arity) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, implementation_module(Module)).

%!  interrupt(+In, -Done) is det.
%
%   In is a thread and a word, as in "1 time": the goal that runs there is ended by throwing
%   interrupted(Word).

interrupt(In, "") :-
    split_string(In, " ", "", [ThreadText, WordText]),
    (   number_string(Thread, ThreadText)
    ->  true
    ;   atom_string(Thread, ThreadText)
    ),
    atom_string(Word, WordText),
    thread_signal(Thread, throw(interrupted(Word))).

%!  idle(+In, -Done) is det.
%
%   Does nothing; a good moment for an interrupt that has come too late.

idle(_, "").
