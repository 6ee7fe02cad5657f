"""Games for other libraries: arrays, OpenSpiel, PettingZoo, Gymnasium.

`batch` plays many games at once; `open_spiel`, `pettingzoo` and `gym` are each imported by their users alone, because
they need the library of that name.  All of them number moves by `pysolve.dsl.model.move_numbers` and draw positions as
`planes` says.
"""
