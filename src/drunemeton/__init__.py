"""Drunemeton: three druid games to play, learn and study."""

__version__ = "0.1.0"
