"""What is outside of the server when it tells people something: a mail server (aiosmtpd, with TLS and a login) and a push
service, both on loopback. The push service does what a browser's and its vendor's do: it checks who sends (RFC 8292) and
decrypts (RFC 8291), in Python and by the standards alone."""
import base64
import email
import email.policy
import hashlib
import hmac
import http.server
import json
import logging
import pathlib
import socket
import ssl
import subprocess
import tempfile
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from harness import eventually

logging.getLogger("mail.log").disabled = True  # connections that end in the middle are what is tested
FOLDER = tempfile.TemporaryDirectory(prefix="gral-outside-")
CERTIFICATE, KEY, PASSWORD = (pathlib.Path(FOLDER.name) / name for name in ("chain.pem", "key.pem", "password"))
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                str(KEY), "-out", str(CERTIFICATE)], check=True, capture_output=True)
PASSWORD.write_text("behind the mill\n")


def tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    return context


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


# --- mail -------------------------------------------------------------------------------------------------------------


class Mail:
    """A mail server for mail from gral@gral.example, after a login over TLS. `answers` are said to the next mails in the
    place of "250 OK", before or after the text."""

    def __init__(self, port=None):
        self.port = port or free_port()
        self.letters, self.sessions, self.answers, self.at_recipient = [], 0, [], []
        self.controller = None
        self.start()

    def start(self):
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, tls_context=tls(),
                                     require_starttls=True, auth_required=True, authenticator=self.check)
        self.controller.start()

    def stop(self):
        self.controller.stop()

    @staticmethod
    def check(server, session, envelope, mechanism, data):
        return AuthResult(success=(data.login, data.password) == (b"gral", b"behind the mill"))

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.at_recipient:
            return self.at_recipient.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.answers:
            return self.answers.pop(0)
        letter = email.message_from_bytes(envelope.content, policy=email.policy.default)
        letter.recipients, letter.sender, letter.text = envelope.rcpt_tos, envelope.mail_from, letter.get_content()
        self.letters.append(letter)
        return "250 OK"

    def to(self, address):
        return [letter for letter in self.letters if letter.recipients == [address]]

    def next_to(self, address, count=1):
        """The newest, once there are so many."""
        eventually(lambda: len(self.to(address)) >= count, f"{count} letters to {address}")
        return self.to(address)[-1]


class Silence:
    """A machine that lets everybody in and says nothing, until it `talks` by hanging up."""

    def __init__(self, port=None):
        self.socket = socket.create_server(("127.0.0.1", port or 0))
        self.port = self.socket.getsockname()[1]
        self.guests = []
        threading.Thread(target=self._let_in, daemon=True).start()

    def _let_in(self):
        while True:
            try:
                self.guests.append(self.socket.accept()[0])
            except OSError:
                return

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        for guest in self.guests:
            guest.close()


# --- push -------------------------------------------------------------------------------------------------------------


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def mix(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


class Browser:
    """One that has subscribed."""

    def __init__(self, service, name):
        self.secret = ec.generate_private_key(ec.SECP256R1())
        self.point = self.secret.public_key().public_bytes(serialization.Encoding.X962,
                                                           serialization.PublicFormat.UncompressedPoint)
        self.auth = hashlib.sha256(name.encode()).digest()[:16]
        self.path = f"/push/{name}"
        self.endpoint = service.url + self.path
        self.service, self.messages, self.headers = service, [], []

    def subscription(self, language="en"):
        return {"endpoint": self.endpoint, "key": encode(self.point), "auth": encode(self.auth), "language": language}

    def decrypt(self, body):
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21:21 + length], body[21 + length:]
        assert len(body) <= 4096 and size >= 18 and len(sealed) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.secret.exchange(ec.ECDH(), point)
        both = mix(mix(self.auth, shared), b"WebPush: info\0" + self.point + sender + b"\1")
        first = mix(salt, both)
        key = mix(first, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = mix(first, b"Content-Encoding: nonce\0\1")[:12]
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain[-1] == 2, "not the last record"
        return json.loads(plain[:-1])

    def next(self, count=1):
        eventually(lambda: len(self.messages) >= count, f"{count} messages")
        return self.messages[count - 1]


class Push:
    """A push service. `answers` are the statuses of the next requests, then 201."""

    def __init__(self):
        self.browsers, self.answers, self.requests, self.wrong = {}, [], 0, []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if len(body) < int(self.headers["Content-Length"]):  # it was not to go after all
                    self.close_connection = True
                    return
                status = service.take(self.path, self.headers, body)
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", service.url + "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = tls().wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def browser(self, name):
        self.browsers[f"/push/{name}"] = browser = Browser(self, name)
        return browser

    def check(self, headers):
        """Who sends it, as RFC 8292 wants to know it; returns the key."""
        scheme, _, rest = headers["Authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        head, claims, signature = parts["t"].split(".")
        assert scheme == "vapid" and json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
        said = json.loads(decode(claims))
        assert said["aud"] == self.url, said
        assert said["sub"] == "mailto:host@gral.example", said
        assert time.time() - 86400 * 3 < said["exp"] < time.time() + 86400 * 3, said
        raw = decode(signature)
        numbers = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
        point.verify(numbers, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        return parts["k"]

    def take(self, path, headers, body):
        self.requests += 1
        try:
            browser = self.browsers[path]
            assert headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0, dict(headers)
            key, message = self.check(headers), browser.decrypt(body)
        except Exception as error:  # said by the test that waits for the message
            self.wrong.append(repr(error))
            return 400
        status = self.answers.pop(0) if self.answers else 201
        if status == 201:
            browser.headers.append({**headers, "k": key})
            browser.messages.append(message)
        return status
