"""WebSockets by hand: what libraries would not send, and as fast as it goes."""

import base64
import os
import socket
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(payload, kind=TEXT, final=True):
    """One masked frame, as bytes."""
    head = bytes([(128 if final else 0) | kind])
    size = len(payload)
    if size < 126:
        head += bytes([128 | size])
    elif size < 1 << 16:
        head += bytes([128 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([128 | 127]) + struct.pack(">Q", size)
    # A mask of zeros is a mask.
    return head + b"\0\0\0\0" + payload


def connect(port, target="/.ws?v=5&ns=default"):
    """A connection whose handshake is done."""
    one = socket.create_connection(("127.0.0.1", port))
    one.settimeout(20)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    key = base64.b64encode(os.urandom(16)).decode()
    one.sendall(
        f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        .encode())
    head = b""
    while b"\r\n\r\n" not in head:
        part = one.recv(1)
        if not part:
            raise ConnectionError("the handshake was refused")
        head += part
    return one


class Frames:
    """Cuts what arrives into frames, with a mask or without."""

    def __init__(self, one):
        self.one, self.rest = one, b""

    def read(self):
        while True:
            found = self.cut()
            if found is not None:
                return found
            part = self.one.recv(1 << 16)
            if not part:
                raise ConnectionError("closed")
            self.rest += part

    def cut(self):
        rest = self.rest
        if len(rest) < 2:
            return None
        size, start = rest[1] & 127, 2
        if size == 126:
            if len(rest) < 4:
                return None
            size, start = struct.unpack(">H", rest[2:4])[0], 4
        elif size == 127:
            if len(rest) < 10:
                return None
            size, start = struct.unpack(">Q", rest[2:10])[0], 10
        mask = rest[start:start + 4] if rest[1] & 128 else b""
        start += len(mask)
        if len(rest) < start + size or rest[1] & 128 and len(mask) < 4:
            return None
        self.rest = rest[start + size:]
        payload = rest[start:start + size]
        if mask:
            payload = bytes(byte ^ mask[at & 3] for at, byte in enumerate(payload))
        return rest[0] & 15, payload
