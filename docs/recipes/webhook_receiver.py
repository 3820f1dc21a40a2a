"""Receives a webhook's messages: it verifies each, stores it, answers at once and does its work after that.

What was stored and not yet done is done after a restart. Needs Python 3.9 or newer and nothing else. Run it behind a
proxy for https:
    WEBHOOK_SECRET=whsec_... PORT=8080 python3 webhook_receiver.py messages.db
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sqlite3
import sys
import threading
import time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].replace("whsec_", "", 1))
PORT = int(os.environ.get("PORT", "8080"))
FIVE_MINUTES = 300
LARGEST = 1_000_000
FILE = sys.argv[1]

arrived = threading.Event()


def inbox():
    return sqlite3.connect(FILE, timeout=10)


def is_genuine(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > FIVE_MINUTES:
        return False
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    wanted = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # There are two while a secret is rotated.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(wanted, one) for one in given])


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        self.send_response(self.answer())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer(self):
        length = int(self.headers.get("Content-Length", "0"))
        if length > LARGEST:
            return 413
        # The body as it arrived, for that is what was signed.
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return 401
        messages = inbox()
        with messages:
            # A message that arrives once more has the same id.
            messages.execute(
                "INSERT OR IGNORE INTO messages (id, body) VALUES (?, ?)", (self.headers["webhook-id"], body.decode())
            )
        messages.close()
        arrived.set()
        return 204

    def log_message(self, *_):
        pass


def work(message):
    """Your work. It is done again if the program ends in the middle."""
    print(message["type"], message["data"]["id"], flush=True)


def work_off():
    messages = inbox()
    while True:
        row = messages.execute("SELECT id, body FROM messages WHERE done = 0 ORDER BY rowid LIMIT 1").fetchone()
        if row is None:
            arrived.wait()
            arrived.clear()
            continue
        work(json.loads(row[1]))
        with messages:
            messages.execute("UPDATE messages SET done = 1 WHERE id = ?", (row[0],))


messages = inbox()
messages.execute("PRAGMA journal_mode = WAL")
with messages:
    messages.execute("CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, body TEXT NOT NULL, done INTEGER DEFAULT 0)")
messages.close()
server = http.server.ThreadingHTTPServer(("", PORT), Receiver)
threading.Thread(target=work_off, daemon=True).start()
print("listening", flush=True)
server.serve_forever()
