"""The page at home: `pysolve web`.

wire        answers and failures as lines of JSON
folder      the rules files that the page may read and write
opening     what the page shows first
home        a `Service` that knows this folder; runs in a worker
worker      the process in which questions are answered
lane        processes that answer, one question each at a time; they are stopped and replaced
asking      POST /ask/QUESTION: who answers which question, and until when
pages       the application: the files of the page, and its questions
guard       whom the server answers, and what a browser may do with the page
listening   uvicorn
server      the address, the start and the end

The server itself never reads rules.  Rules may be very slow, so whatever reads them runs in a worker, which can be
killed.  Starlette and uvicorn are the extra `web`.
"""
