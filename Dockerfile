# pysolve with SWI-Prolog, a compiler and all extras that people use:
#   docker build -t pysolve .
#   docker run --rm -it pysolve play zola
#   docker run --rm --network host -v "$PWD:/games" pysolve web --no-open     # it answers this machine alone
FROM debian:bookworm-slim

RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
       gcc libc6-dev python3 python3-venv swi-prolog-nox \
    && rm -rf /var/lib/apt/lists/*

COPY . /source
RUN python3 -m venv /opt/pysolve \
    && /opt/pysolve/bin/pip install --quiet --no-cache-dir '/source[web,lab,zig,editor,notebook,chess]' \
    && rm -rf /source \
    && useradd --create-home player

ENV PATH=/opt/pysolve/bin:$PATH
USER player
WORKDIR /games
ENTRYPOINT ["pysolve"]
CMD ["--help"]
