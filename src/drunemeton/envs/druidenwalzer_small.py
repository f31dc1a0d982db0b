"""A Druidenwalzer small enough to be solved: 252 decisions and 165 chance nodes, every deal among them.

Two trees a side with one card each, one card in hand, one token conquers, one lost tree loses, and a quiet turn is a draw (DW-8.3).
"""

from __future__ import annotations

OPTIONS = {"trees": 2, "stack": 1, "hand": 1, "tokens_to_conquer": 1, "trees_to_lose": 1, "draw_after": 1}
COMPONENTS = {"sun": {"1<": 2, "2>": 1, "3<": 1}, "moon": {"1<": 2, "2>": 1, "3<": 1}}
