:- module(pysolve_browser,
          [ until/2                     % +Seconds, -Done
          ]).

/** <module> A limit of time where Prolog has no threads

In a browser nobody else can stop a goal, so the goal looks at the clock itself, every so many inferences.
*/

:- dynamic
    deadline/1.                         % Time: the goal under way ends then

%   library(wasm) uses the beat to ask the page whether to go on; here nobody answers.

:- abolish(prolog:heartbeat/0).
:- set_prolog_flag(heartbeat, 100 000).

prolog:heartbeat :-
    pysolve_browser:deadline(Time),
    get_time(Now),
    Now > Time,
    !,
    retractall(pysolve_browser:deadline(_)),
    throw(interrupted(time)).
prolog:heartbeat.

%!  until(+Seconds, -Done) is det.
%
%   What is asked from now on ends after so many seconds by throwing interrupted(time); with "" it has all the time.

until("", "") :-
    !,
    retractall(deadline(_)).
until(Text, "") :-
    number_string(Seconds, Text),
    get_time(Now),
    Time is Now + Seconds,
    retractall(deadline(_)),
    assertz(deadline(Time)).
