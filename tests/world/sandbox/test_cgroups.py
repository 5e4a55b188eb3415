from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.world.sandbox.cgroups import places

V1 = "36 31 0:33 {root} {point} {options} shared:9 - cgroup cgroup rw,pids"
V2 = "41 31 0:38 {root} {point} {options} - cgroup2 cgroup2 rw,nsdelegate"
OTHER = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"


def mounted(line: str, root: str = "/", point: str = "/sys/fs/cgroup", options: str = "rw,nosuid") -> str:
    return "\n".join((OTHER, line.format(root=root, point=point, options=options)))


@pytest.mark.parametrize(
    ("cgroup", "mountinfo", "expected"),
    [
        ("8:pids:/\n0::/", mounted(V1, point="/sys/fs/cgroup/pids"), ["/sys/fs/cgroup/pids"]),
        ("8:pids:/a/b", mounted(V1), ["/sys/fs/cgroup/a/b"]),
        ("8:cpu,pids:/docker/x", mounted(V1, root="/docker/x"), ["/sys/fs/cgroup"]),
        ("8:pids:/docker/xy", mounted(V1, root="/docker/x"), []),
        ("0::/", mounted(V2), ["/sys/fs/cgroup"]),
        ("0::/a.slice/b.service", mounted(V2), ["/sys/fs/cgroup/a.slice/b.service", "/sys/fs/cgroup/a.slice"]),
        ("0::/docker/x", mounted(V2, root="/docker/x"), ["/sys/fs/cgroup"]),
        ("0::/../other", mounted(V2), []),
        ("0::/", mounted(V2, root="/../.."), []),
        ("0::/", mounted(V2, options="ro,nosuid"), []),
        ("0::/", mounted(V2, point=r"/my\040groups"), ["/my groups"]),
        ("8:memory:/", mounted(V1), []),
        ("8:pids:/\n0::/x", mounted(V1) + "\n" + mounted(V2, point="/two"), ["/sys/fs/cgroup", "/two/x", "/two"]),
        ("", "", []),
    ],
    ids=[
        *("v1", "v1 below", "v1 in a container", "v1 not what is mounted"),
        *("v2", "v2 of a service, or beside it", "v2 in a container", "v2 outside the namespace"),
        *("v2 seen from within", "read-only", "escaped", "no pids", "v1 before v2", "nothing"),
    ],
)
def test_groups_are_made_below_our_own(cgroup, mountinfo, expected):
    assert places(cgroup, mountinfo) == [Path(path) for path in expected]


@given(st.text("08:pids/.\n", max_size=60), st.text("0 -/rwcgroup2,pids\\\n", max_size=120))
def test_no_text_of_the_kernel_is_a_mistake(cgroup, mountinfo):
    assert all(path for path in places(cgroup, mountinfo))
