"""A game being played: seats, turn, clocks, taking back, handing over, rematch. No I/O, and time is handed in."""

from .clock import Clock, ClockRules
from .errors import Refused
from .series import rematch
from .table import Ask, Change, Entry, Seat, Table, made

__all__ = ["Ask", "Change", "Clock", "ClockRules", "Entry", "Refused", "Seat", "Table", "made", "rematch"]
