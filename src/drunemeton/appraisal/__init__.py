"""What a position is worth to each seat, on what it knows: behind hints, reviews, puzzles and laboratory."""

from __future__ import annotations

from .account import Depth
from .played import NoReview
from .reviewing import Reviewer, review
from .shape import Review
from .value import Appraiser

__all__ = ["Appraiser", "Depth", "NoReview", "Review", "Reviewer", "review"]
