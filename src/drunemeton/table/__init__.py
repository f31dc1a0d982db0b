"""A game being played: seats, turn, clocks, taking back, handing over, rematch. No I/O, and time is handed in."""

from .again import seen_again
from .arranged import begun_at, seats_of
from .clock import Clock, ClockRules
from .entries import Ask, Change, Entry
from .errors import Refused
from .seats import Seat
from .series import rematch
from .table import Table, made

__all__ = [
    "Ask",
    "Change",
    "Clock",
    "ClockRules",
    "Entry",
    "Refused",
    "Seat",
    "Table",
    "begun_at",
    "made",
    "rematch",
    "seats_of",
    "seen_again",
]
