"""Values: dataclasses that nobody changes.

A frozen dataclass sets its fields through `object.__setattr__`, which takes three quarters of the time in which it is
made; reading a game makes many thousands.  A value is frozen for mypy, which reads all that is written here, and
is made as fast as any other object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Made]) -> type[Made]:
    """A class of values with the fields that it names; equal, and of equal hash, where all of them are."""
    return dataclass(slots=True, unsafe_hash="__hash__" not in vars(cls))(cls)
