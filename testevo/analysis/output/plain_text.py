"""Characters of untrusted text that are not shown as they are, whatever the format."""

_TURNING = (0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
HIDDEN = {
    **{code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"},
    **{code: f"\\u{code:04x}" for code in _TURNING},
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),
}
"""Characters that show nothing, or turn the order of what follows them so that code reads like other code."""
