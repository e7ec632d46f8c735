"""Several machines on one wire, made of Linux network namespaces; needs root and `ip` (Debian: iproute2).

All of it vanishes at the end; this machine's own network is not touched. The wire is a hub in this process, which
can be slow, lose packets or keep multicast to itself, without help from the kernel.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

#: Nobody is there: a way out of the house is what browsers look for when they choose their address.
ROUTER = "10.77.0.254"
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
CLONE_NEWNET = 0x40000000
FRAME = 65536


@dataclass(frozen=True)
class Wire:
    """How the wire is: `delay` in seconds one way, `loss` a share of packets, `multicast` whether it passes."""

    delay: float = 0.0
    loss: float = 0.0
    multicast: bool = True

    def passes(self, frame: bytes) -> bool:
        broadcast = frame[:6] == b"\xff" * 6
        return random.random() >= self.loss and (self.multicast or broadcast or not frame[0] & 1)

    def carry(self, taps: list[int], stop: threading.Event) -> None:
        """What one sends reaches all the others."""
        under_way: list[tuple[float, int, int, bytes]] = []
        count = 0
        while not stop.is_set():
            patience = max(0.0, under_way[0][0] - time.monotonic()) if under_way else 0.2
            for tap in select.select(taps, [], [], min(patience, 0.2))[0]:
                frame = os.read(tap, FRAME)
                for other in taps:
                    if other != tap and self.passes(frame):
                        count += 1
                        arrival = time.monotonic() + self.delay
                        heapq.heappush(under_way, (arrival, count, other, frame))
            while under_way and under_way[0][0] <= time.monotonic():
                with suppress(OSError):  # unplugged
                    os.write(under_way[0][2], under_way[0][3])
                heapq.heappop(under_way)


def run(command: str) -> None:
    subprocess.run(command.split(), check=True)


@dataclass(frozen=True)
class Machine:
    name: str
    address: str

    @property
    def space(self) -> str:
        return f"qirkat-{self.name}"

    def join(self) -> int:
        """On the wire; returns the wire's end of its cable."""
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", self.space.encode(), IFF_TAP | IFF_NO_PI))
        run(f"ip netns add {self.space}")
        run(f"ip link set {self.space} netns {self.space} name eth0")
        run(f"ip -n {self.space} link set lo up")
        run(f"ip -n {self.space} addr add {self.address}/24 dev eth0")
        self.plug()
        return tap

    def plug(self) -> None:
        run(f"ip -n {self.space} link set eth0 up")
        run(f"ip -n {self.space} route replace default via {ROUTER}")

    def unplug(self) -> None:
        run(f"ip -n {self.space} link set eth0 down")

    def command(self, *words: str) -> list[str]:
        """A command line that is run there."""
        return ["ip", "netns", "exec", self.space, *words]

    def enter(self) -> None:
        """This thread, and what it starts from now on, is there."""
        with open(f"/run/netns/{self.space}") as space:
            if ctypes.CDLL(None).setns(space.fileno(), CLONE_NEWNET):
                raise OSError(f"cannot enter {self.space}")


@contextmanager
def joined(machines: list[Machine], wire: Wire) -> Iterator[None]:
    stop = threading.Event()
    hub: threading.Thread | None = None
    try:
        taps = [machine.join() for machine in machines]
        hub = threading.Thread(target=wire.carry, args=(taps, stop), daemon=True)
        hub.start()
        yield
    finally:
        stop.set()
        if hub:
            hub.join()
        for machine in machines:
            subprocess.run(["ip", "netns", "delete", machine.space], check=False, stderr=-3)
