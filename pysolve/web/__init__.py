"""The page at home: `pysolve web`.

wire        answers and failures as lines of JSON
folder      the rules files that the page may read and write
opening     what the page shows first
home        a `Service` that knows this folder; runs in a worker
plain       the card of a file that is not understood
memory      what a process holds, and giving it back
worker      the process in which questions are answered
turns       whose turn it is
lane        processes that answer, one question each at a time; they are stopped and replaced
listing     the cards of the files in the folder
asking      POST /ask/QUESTION: who answers which question, and until when
pages       the application: the files of the page, and its questions
key         the token in the address, and the cookie
refusal     what somebody without them sees
ports       which port belongs to which folder
guard       whom the server answers, and what a browser may do with the page
connections how many there are, and how slow they may be
listening   uvicorn
browsing    opens the browser
server      the address, the start and the end

The server itself never reads rules.  Rules may be very slow, so whatever reads them runs in a worker, which can be
killed.  Starlette and uvicorn are the extra `web`.
"""
