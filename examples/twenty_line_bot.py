"""A bot for any game and any server: python examples/twenty_line_bot.py LINK-TO-A-SEAT"""

import contextlib
import random
import sys

from drunemeton.client import Client, Stale


def choose(view, legal, table):
    """Take what looks surest: the move that brings the most events of which we can be certain."""
    sample = random.sample(legal, min(3, len(legal)))
    return max(sample, key=lambda move: sum(one["share"] == 1 for one in table.preview(move)))


with Client.join(sys.argv[1], name="Twenty Lines") as table:
    for state in table.turns():
        with contextlib.suppress(Stale):  # something was taken back while we thought: then we are asked again
            table.play(choose(state["view"], state["legal"], table))
    print(table.state["result"]["end"], table.state["result"]["places"][table.seat])
