"""Copies all vehicles that a key may read into a SQLite file. Run it every night.

Needs Python 3.9 or newer and nothing else.
    SERVICE=http://localhost:3000 API_KEY=vis_... python3 nightly_sync.py vehicles.db
"""

import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

SERVICE = os.environ["SERVICE"]
API_KEY = os.environ["API_KEY"]
ATTEMPTS = 5


def get(path, parameters):
    """Reads one page. Waits as long as the service asks when a limit is reached or the service is busy."""
    url = f"{SERVICE}{path}?{urllib.parse.urlencode(parameters)}"
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(url, headers={"X-API-Key": API_KEY})
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                raise SystemExit(f"{error.code}: {error.read().decode()}")
            time.sleep(int(error.headers.get("Retry-After", "5")))


def all_vehicles():
    """Every vehicle. The cursor continues exactly where the page before ended."""
    parameters = {"limit": 500}
    while True:
        page = get("/api/vehicles", parameters)
        yield from page["vehicles"]
        cursor = page["meta"]["next_cursor"]
        if cursor is None:
            return
        parameters["cursor"] = cursor


def main(file):
    copy = sqlite3.connect(file)
    # One transaction: readers of the copy never see half of a night.
    with copy:
        copy.execute("CREATE TABLE IF NOT EXISTS vehicles (id INTEGER PRIMARY KEY, updated_at TEXT, document TEXT)")
        copy.execute("DELETE FROM vehicles")
        for vehicle in all_vehicles():
            copy.execute(
                "INSERT OR REPLACE INTO vehicles VALUES (?, ?, ?)",
                (vehicle["id"], vehicle["updated_at"], json.dumps(vehicle)),
            )
        (count,) = copy.execute("SELECT count(*) FROM vehicles").fetchone()
    print(f"{count} vehicles")


main(sys.argv[1])
