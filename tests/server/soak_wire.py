"""HTTP and WebSocket for the soak, many at once in one thread, from as many addresses as one likes.

Every client has a source address of its own in 127.0.0.0/8; behind a proxy it has a public one as well, which it says
in X-Forwarded-For as a proxy would. So a limit by address meets the client it is meant for, in both modes."""
import asyncio
import base64
import collections
import json
import os
import struct

from harness import Refused  # noqa: F401  (for those who use the wire)

HEAD_MAX = 1 << 20
Address = collections.namedtuple("Address", "source public")
Answer = collections.namedtuple("Answer", "status headers body")

HONEST, HOSTILE = 1, 2


def new_address(chance, part):
    """One in four has IPv6, with a network of its own. The parts have none in common."""
    a, b = chance.randrange(256), chance.randrange(1, 255)
    public = (f"2001:db8:{part}{chance.randrange(4096):03x}:{chance.randrange(65536):x}::{b:x}"
              if chance.random() < 0.25 else f"198.{17 + part}.{a}.{b}")
    return Address(f"127.{part}.{a}.{b}", public)


class Place:
    """Where the server is, and whether we come as its proxy."""

    def __init__(self, port, proxied):
        self.port, self.proxied = port, proxied

    def headers(self, address):
        return {"X-Forwarded-For": address.public} if self.proxied else {}

    async def open(self, address):
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address.source, 0), limit=HEAD_MAX)


def head(first, headers):
    lines = [first, "Host: soak", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def read_head(reader):
    """(status, [(name in lower case, value)])"""
    try:
        text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        raise ConnectionResetError("hung up before an answer") from None
    status, *lines = text[:-4].split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return int(status.split()[1]), [(name.lower(), value.strip()) for name, _, value in pairs]


async def read_answer(reader):
    status, headers = await read_head(reader)
    length = int(dict(headers).get("content-length", 0))
    try:
        return Answer(status, headers, await reader.readexactly(length))
    except asyncio.IncompleteReadError:
        raise ConnectionResetError("hung up within an answer") from None


async def request(place, address, method, path, body=None, headers=None):
    """One request on a connection of its own."""
    content = b"" if body is None else json.dumps(body).encode()
    more = {"Content-Type": "application/json"} if body is not None else {}
    if method != "GET":
        more["Content-Length"] = len(content)
    reader, writer = await place.open(address)
    try:
        writer.write(head(f"{method} {path} HTTP/1.1", {**place.headers(address), **(headers or {}), **more}) + content)
        return await read_answer(reader)
    finally:
        writer.close()


class Socket:
    """A client's half of RFC 6455: text messages. Raises ConnectionError when the connection ends."""

    TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, place, address, headers=None):
        reader, writer = await place.open(address)
        try:
            writer.write(head("GET /ws HTTP/1.1", {
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": 13,
                "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **place.headers(address),
                **(headers or {})}))
            status, _ = await read_head(reader)
            if status != 101:
                raise ConnectionRefusedError(f"no WebSocket: {status}")
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    @staticmethod
    def frame(kind, payload, last=True):
        """Masked, as every frame of a client."""
        first = bytes([(0x80 if last else 0) | kind])
        if len(payload) < 126:
            size = bytes([0x80 | len(payload)])
        elif len(payload) < 65536:
            size = bytes([0x80 | 126]) + struct.pack(">H", len(payload))
        else:
            size = bytes([0x80 | 127]) + struct.pack(">Q", len(payload))
        mask = os.urandom(4)
        repeated = (mask * (len(payload) // 4 + 1))[:len(payload)]
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
        return first + size + mask + masked.to_bytes(len(payload), "big")

    def send(self, text):
        if self.writer.is_closing():
            raise ConnectionResetError("closed")
        self.writer.write(self.frame(self.TEXT, text.encode()))

    async def _frame(self):
        first, size = await self.reader.readexactly(2)
        length = size & 127
        if length >= 126:
            length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
        return bool(first & 0x80), first & 15, await self.reader.readexactly(length)

    async def receive(self):
        parts = []
        while True:
            try:
                last, kind, payload = await self._frame()
            except asyncio.IncompleteReadError:
                raise ConnectionResetError("the server has hung up") from None
            if kind == self.PING:
                self.writer.write(self.frame(self.PONG, payload))
            elif kind == self.CLOSE:
                why = payload[2:].decode(errors="replace")
                raise ConnectionResetError(f"closed by the server: {int.from_bytes(payload[:2], 'big')} {why}")
            elif kind != self.PONG:
                parts.append(payload)
                if last:
                    return b"".join(parts).decode()

    async def answer(self, name):
        """What is said to the request of this id; pushes before it are dropped."""
        while True:
            message = json.loads(await self.receive())
            if message.get("re") == name:
                return message

    def close(self):
        if not self.writer.is_closing():
            self.writer.write(self.frame(self.CLOSE, struct.pack(">H", 1000)))
            self.writer.close()


class Commands:
    """What the one who started us says, a word a line on standard input. When that ends, so do we: nothing is left
    behind by a soak that was interrupted."""

    def __init__(self, take):
        self.take = take

    async def listen(self):
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(0))
        while line := await reader.readline():
            self.take(line.decode().strip())
        os._exit(1)


def say(**members):
    print(json.dumps(members), flush=True)
