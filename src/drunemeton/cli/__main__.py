"""`python -m drunemeton.cli`."""

import sys

from . import main

sys.exit(main())
