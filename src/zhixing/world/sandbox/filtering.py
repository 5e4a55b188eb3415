"""System calls that a confined command may not make: what no namespace keeps apart, and what no script needs.

A classic BPF program in the form that seccomp(2) reads. It refuses; nothing is killed by it.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass

LOAD, JUMP_EQUAL, JUMP_NOT_LESS, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NUMBER, MACHINE, FIRST, SECOND = 0, 4, 16, 24
"""Offsets in `struct seccomp_data`; of the arguments, the lower half on the machines below."""
TERMINAL_REQUESTS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: they type into the terminal of whoever runs the server."""
FAMILIES = (1, 2, 10, 16)
"""Sockets of AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK; AF_VSOCK, say, reaches the host of a virtual machine."""
OTHER_NUMBERING = 0x40000000
"""The bit of x32 calls, which would pass by every number."""


@dataclass(frozen=True, slots=True)
class Machine:
    """How one machine numbers its calls (unistd.h); `audit` is its AUDIT_ARCH."""

    audit: int
    socket: int
    ioctl: int
    refused: tuple[int, ...]


SHARED = (*range(425, 434), 442)
"""io_uring_*, the mount calls of 5.2 and mount_setattr: one number everywhere."""
MACHINES = {
    "x86_64": Machine(
        0xC000003E,
        socket=41,
        ioctl=16,
        refused=(
            *(101, 103, 155, 163, 165, 166, 167, 168, 169),  # ptrace syslog pivot_root acct mount umount2 swap* reboot
            *(175, 176, 179, 212, 246),  # init_module delete_module quotactl lookup_dcookie kexec_load
            *(248, 249, 250, 272, 298),  # add_key request_key keyctl unshare perf_event_open
            *(304, 308, 310, 311, 313),  # open_by_handle_at setns process_vm_readv process_vm_writev finit_module
            *(320, 321, 323),  # kexec_file_load bpf userfaultfd
            *SHARED,
        ),
    ),
    "aarch64": Machine(
        0xC00000B7,
        socket=198,
        ioctl=29,
        refused=(
            *(117, 116, 41, 89, 40, 39, 224, 225, 142),
            *(105, 106, 60, 18, 104),
            *(217, 218, 219, 97, 241),
            *(265, 268, 270, 271, 273),
            *(294, 280, 282),
            *SHARED,
        ),
    ),
}


def syscall_filter(machine: str) -> bytes:
    """Return the program for a machine as `platform.machine()` names it; empty for one that is not known."""
    known = MACHINES.get(machine)
    if known is None:
        return b""
    program = [
        _step(LOAD, MACHINE),
        *_unless(JUMP_EQUAL, known.audit, errno.ENOSYS),
        _step(LOAD, NUMBER),
        *_refuse(JUMP_NOT_LESS, OTHER_NUMBERING, errno.ENOSYS),
    ]
    for number in known.refused:
        program += _refuse(JUMP_EQUAL, number, errno.EPERM)
    families = [_step(LOAD, FIRST)]
    for place, family in enumerate(FAMILIES):
        families.append(_step(JUMP_EQUAL, family, then=len(FAMILIES) - place))
    families.append(_step(RETURN, REFUSE | errno.EAFNOSUPPORT))
    requests = [_step(LOAD, SECOND)]
    for request in TERMINAL_REQUESTS:
        requests += _refuse(JUMP_EQUAL, request, errno.EPERM)
    for number, steps in ((known.socket, families), (known.ioctl, requests)):
        program += [_step(JUMP_EQUAL, number, otherwise=len(steps) + 1), *steps, _step(RETURN, ALLOW)]
    program.append(_step(RETURN, ALLOW))
    return b"".join(program)


def _refuse(test: int, value: int, error: int) -> list[bytes]:
    return [_step(test, value, otherwise=1), _step(RETURN, REFUSE | error)]


def _unless(test: int, value: int, error: int) -> list[bytes]:
    return [_step(test, value, then=1), _step(RETURN, REFUSE | error)]


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one `struct sock_filter`."""
    return struct.pack("=HBBI", code, then, otherwise, value)
