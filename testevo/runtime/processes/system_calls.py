"""A filter that hides the keyrings of the kernel, which `bubblewrap` loads before it starts a program.

The keyring of a login session outlives a run, and every later run of that session would find what one has left in it.
Engines of containers hide them alike. The filter is a program of the kernel's (classic BPF, `man 2 seccomp`).
"""

import struct

_LOAD, _CLEAR, _IS, _AT_LEAST, _ABOVE, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x25, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""Places in what the kernel shows a filter."""
_SHORT_POINTERS = 0x40000000
"""Set in the numbers of x86-64 for programs with pointers of 32 bits."""
_ALLOWED, _NO_SUCH_CALL = 0x7FFF0000, 0x00050000 | 38
_FIRST = {
    0xC000003E: 248,  # x86-64
    0x40000003: 286,  # x86
    0xC00000B7: 217,  # AArch64
    0x40000028: 309,  # ARM
    0xC0000015: 269,  # POWER, little endian
    0xC00000F3: 217,  # RISC-V, 64 bits
    0x80000016: 278,  # z/Architecture
}
"""By architecture, the number of `add_key`; `request_key` and `keyctl` follow it."""


def without_keyrings() -> bytes:
    """The filter: the three system calls do not exist, whatever architecture a program is of."""
    steps = [_step(_LOAD, _ARCHITECTURE)]
    for architecture, first in _FIRST.items():
        steps += [
            _step(_IS, architecture, otherwise=6),
            _step(_LOAD, _NUMBER),
            _step(_CLEAR, 0xFFFFFFFF ^ _SHORT_POINTERS),
            _step(_AT_LEAST, first, otherwise=1),
            _step(_ABOVE, first + 2, otherwise=1),
            _step(_RETURN, _ALLOWED),
            _step(_RETURN, _NO_SUCH_CALL),
        ]
    return b"".join([*steps, _step(_RETURN, _ALLOWED)])


def _step(code: int, value: int, *, otherwise: int = 0) -> bytes:
    """An instruction; `otherwise` is how many are left out where a comparison does not hold."""
    return struct.pack("=HBBI", code, 0, otherwise, value)
