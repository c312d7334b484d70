"""What the server says of a trace, without an SDK in between."""

import base64
import json
import os
import time
import urllib.request

HOST = os.environ["LANGFUSE_BASE_URL"]
KEYS = os.environ["LANGFUSE_PUBLIC_KEY"] + ":" + os.environ["LANGFUSE_SECRET_KEY"]


def read(path):
    """The answer to a GET below the public API."""
    basic = base64.b64encode(KEYS.encode()).decode()
    request = urllib.request.Request(
        HOST + "/api/public" + path, headers={"Authorization": "Basic " + basic}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def eventually(path, is_right):
    """What is read, as soon as it is there and as it should be."""
    deadline = time.monotonic() + 60
    while True:
        try:
            found = read(path)
            if is_right(found):
                return found
            problem = found
        except Exception as error:  # not there yet
            problem = error
        assert time.monotonic() < deadline, problem
        time.sleep(0.05)


def trace(count):
    """The one trace of the project, whole, once it has so many observations."""
    listed = eventually("/traces", lambda list: len(list["data"]) == 1)
    path = "/traces/" + listed["data"][0]["id"]
    return eventually(path, lambda trace: len(trace["observations"]) == count)


def named(trace, name):
    """The one observation of that name."""
    (found,) = [one for one in trace["observations"] if one["name"] == name]
    return found
