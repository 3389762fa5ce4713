"""Licences that the Open Source Initiative approved, by the SPDX ids that GitHub gives.

GitHub names a licence of GNU without `-only` and `-or-later`. Both lists follow https://spdx.org/licenses; the first
are licences that do not demand that derived work keeps the licence.
"""

PERMISSIVE = frozenset(
    {
        "0BSD",
        "AFL-3.0",
        "Apache-2.0",
        "Artistic-2.0",
        "BlueOak-1.0.0",
        "BSD-2-Clause",
        "BSD-2-Clause-Patent",
        "BSD-3-Clause",
        "BSL-1.0",
        "ECL-2.0",
        "ISC",
        "MIT",
        "MIT-0",
        "MS-PL",
        "MulanPSL-2.0",
        "NCSA",
        "PostgreSQL",
        "Unlicense",
        "UPL-1.0",
        "Zlib",
    }
)
RECIPROCAL = frozenset(
    {
        "AGPL-3.0",
        "CECILL-2.1",
        "CERN-OHL-P-2.0",
        "CERN-OHL-S-2.0",
        "CERN-OHL-W-2.0",
        "EPL-1.0",
        "EPL-2.0",
        "EUPL-1.1",
        "EUPL-1.2",
        "GPL-2.0",
        "GPL-3.0",
        "LGPL-2.1",
        "LGPL-3.0",
        "LPPL-1.3c",
        "MPL-2.0",
        "MS-RL",
        "OFL-1.1",
        "OSL-3.0",
    }
)
NAMED = {"permissive": PERMISSIVE, "osi": PERMISSIVE | RECIPROCAL}
"""The lists that a configuration can name."""
