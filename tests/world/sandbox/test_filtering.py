from __future__ import annotations

import struct

import pytest

from zhixing.world.sandbox.filtering import syscall_filter

X86, ARM = 0xC000003E, 0xC00000B7
ALLOWED, PERMISSION, NO_FAMILY, NO_CALL = 0x7FFF0000, 0x50001, 0x50061, 0x50026


def verdict(machine: str, audit: int, number: int, first: int = 0, second: int = 0) -> int:
    """Run the program as the kernel would (the four instructions that it uses)."""
    steps = list(struct.iter_unpack("=HBBI", syscall_filter(machine)))
    data = struct.pack("=IIQQQ", number, audit, 0, first, second)
    place, loaded = 0, 0
    while True:
        code, then, otherwise, value = steps[place]
        place += 1
        if code == 0x06:
            return value
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        else:
            holds = loaded == value if code == 0x15 else loaded >= value
            place += then if holds else otherwise


@pytest.mark.parametrize(
    ("machine", "audit", "number", "arguments", "expected"),
    [
        pytest.param("x86_64", X86, 0, (), ALLOWED, id="read"),
        pytest.param("x86_64", X86, 101, (), PERMISSION, id="ptrace"),
        pytest.param("x86_64", X86, 250, (), PERMISSION, id="keyctl"),
        pytest.param("x86_64", X86, 442, (), PERMISSION, id="mount_setattr"),
        pytest.param("x86_64", X86, 41, (1,), ALLOWED, id="socket of AF_UNIX"),
        pytest.param("x86_64", X86, 41, (10,), ALLOWED, id="socket of AF_INET6"),
        pytest.param("x86_64", X86, 41, (16,), ALLOWED, id="socket of AF_NETLINK"),
        pytest.param("x86_64", X86, 41, (40,), NO_FAMILY, id="socket of AF_VSOCK"),
        pytest.param("x86_64", X86, 16, (0, 0x5401), ALLOWED, id="ioctl TCGETS"),
        pytest.param("x86_64", X86, 16, (0, 0x5412), PERMISSION, id="ioctl TIOCSTI"),
        pytest.param("x86_64", X86, 16, (0, 0x100005412), PERMISSION, id="TIOCSTI with upper bits, which are ignored"),
        pytest.param("x86_64", X86, 0x40000000, (), NO_CALL, id="x32"),
        pytest.param("x86_64", 0x40000003, 4, (), NO_CALL, id="i386"),
        pytest.param("aarch64", ARM, 63, (), ALLOWED, id="read on arm"),
        pytest.param("aarch64", ARM, 219, (), PERMISSION, id="keyctl on arm"),
        pytest.param("aarch64", ARM, 198, (40,), NO_FAMILY, id="AF_VSOCK on arm"),
        pytest.param("aarch64", ARM, 29, (0, 0x541C), PERMISSION, id="TIOCLINUX on arm"),
    ],
)
def test_calls_that_no_namespace_keeps_apart_are_refused(machine, audit, number, arguments, expected):
    assert verdict(machine, audit, number, *arguments) == expected


def test_a_machine_that_is_not_known_has_no_filter():
    assert syscall_filter("riscv64") == b""
