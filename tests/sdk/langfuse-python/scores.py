"""Scores of every type, and an end that is told before its beginning, through the released SDK, whichever version.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import sys
import time

from langfuse import Langfuse

major = int(sys.argv[1])
langfuse = Langfuse()
api = langfuse.client if major == 2 else langfuse.api


def eventually(read, is_right):
    """What is read, as soon as it is there and as it should be."""
    deadline = time.monotonic() + 60
    while True:
        try:
            found = read()
            if is_right(found):
                return found
            problem = found
        except Exception as error:  # not there yet
            problem = error
        assert time.monotonic() < deadline, problem
        time.sleep(0.05)


if major == 2:
    trace_id = langfuse.trace(name="judged").id
else:
    with langfuse.start_as_current_observation(name="judged") as span:
        trace_id = span.trace_id

GIVEN = {"near": ("NUMERIC", 0.25), "right": ("BOOLEAN", 1), "kind": ("CATEGORICAL", "good")}
if major >= 3:
    GIVEN["said"] = ("TEXT", "well said")
create = langfuse.score if major == 2 else langfuse.create_score
for name, (data_type, value) in GIVEN.items():
    create(trace_id=trace_id, name=name, value=value, data_type=data_type, comment="why " + name)
# The later of an id stays.
for value in (1, 2):
    field = "id" if major == 2 else "score_id"
    create(trace_id=trace_id, name="again", value=value, **{field: trace_id + "-again"})
    langfuse.flush()
GIVEN["again"] = ("NUMERIC", 2)

readers = {
    2: lambda: api.score.get(),
    3: lambda: api.score_v_2.get(),
    4: lambda: api.scores.get_many(),
    5: lambda: api.scores.get_many(),
}


def seen(page):
    """What was given, as it is read: words stand beside or in the place of the value."""
    words = lambda score: getattr(score, "string_value", None) or score.value
    is_word = lambda score: score.data_type in ("CATEGORICAL", "TEXT")
    value = lambda score: words(score) if is_word(score) else float(score.value)
    return {score.name: (score.data_type, value(score)) for score in page.data}


expected = {name: (kind, value) for name, (kind, value) in GIVEN.items()}
page = eventually(readers[major], lambda page: seen(page) == expected)
assert len(page.data) == len(expected), page

if major == 2:
    # The end of a span arrives before its beginning.
    from langfuse.client import StatefulSpanClient, StateType

    late = StatefulSpanClient(
        langfuse.client, "late", StateType.OBSERVATION, trace_id, langfuse.task_manager
    )
    late.end(output="done")
    langfuse.flush()
    langfuse.span(id="late", trace_id=trace_id, name="step", input="begun")
    langfuse.flush()
    whole = ("step", "begun", "done")
    read = lambda: api.observations.get("late")
    found = eventually(read, lambda one: (one.name, one.input, one.output) == whole)
    assert found.end_time is not None, found
