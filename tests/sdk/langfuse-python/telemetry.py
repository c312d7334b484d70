"""Traces written and read back through the released SDK, whichever version is installed.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import os
import sys
import time

from langfuse import Langfuse

major = int(sys.argv[1])
langfuse = Langfuse()


def eventually(read, is_right=lambda found: True):
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


def write_by_batches():
    trace = langfuse.trace(
        name="agent", user_id="u", session_id="s", tags=["a"], input={"q": 1}, output="done"
    )
    span = trace.span(name="step")
    call = span.generation(name="answer", model="none-such", input="Hello?")
    call.end(output="Hi.", usage_details={"input": 3, "output": 2})
    span.end()
    return trace.id, trace.get_trace_url()


def write_by_spans():
    from langfuse import propagate_attributes

    with propagate_attributes(user_id="u", session_id="s", tags=["a"], trace_name="agent"):
        with langfuse.start_as_current_observation(name="agent", input={"q": 1}) as root:
            with langfuse.start_as_current_observation(
                name="answer", as_type="generation", model="none-such", input="Hello?"
            ) as call:
                call.update(output="Hi.", usage_details={"input": 3, "output": 2})
            root.update(output="done")
            return root.trace_id, langfuse.get_trace_url()


trace_id, address = write_by_batches() if major == 2 else write_by_spans()
langfuse.flush()

if major == 2:
    api = langfuse.client
    list_observations, get_observation = api.observations.get_many, api.observations.get
elif major == 3:
    api = langfuse.api
    list_observations, get_observation = api.observations.get_many, api.observations.get
elif major == 4:
    api = langfuse.api
    legacy = api.legacy.observations_v1
    list_observations, get_observation = legacy.get_many, legacy.get
else:
    # Version 5 reads by the newer list alone.
    api = langfuse.api

# What it prints for a person: the oldest version says no project.
project = api.projects.get().data[0].id
place = "/trace/" if major == 2 else f"/project/{project}/traces/"
assert address == os.environ["LANGFUSE_HOST"] + place + trace_id, address

if major < 5:
    # Version 2 tells of a thing's start and its end in events of their own, which may arrive apart.
    is_whole = lambda trace: len(trace.observations) >= 2 and (
        trace.output is not None and all(one.end_time for one in trace.observations)
    )
    trace = eventually(lambda: api.trace.get(trace_id), is_whole)
    assert (trace.name, trace.user_id, trace.session_id) == ("agent", "u", "s"), trace
    assert (trace.input, trace.output, trace.tags) == ({"q": 1}, "done", ["a"]), trace
    assert trace.html_path.endswith(f"/traces/{trace_id}"), trace.html_path
    call = next(one for one in trace.observations if one.name == "answer")
    assert (call.type, call.model, call.usage.total) == ("GENERATION", "none-such", 5), call

    traces = api.trace.list(user_id="u", tags=["a"], limit=1)
    assert [one.id for one in traces.data] == [trace_id], traces
    assert (traces.meta.total_items, traces.data[0].latency >= 0) == (1, True), traces
    assert call.id in traces.data[0].observations
    assert api.trace.list(name="nothing").data == []

    calls = list_observations(type="GENERATION", trace_id=trace_id)
    assert [one.id for one in calls.data] == [call.id], calls
    assert get_observation(call.id).output == "Hi."

    assert [one.id for one in api.sessions.list().data] == ["s"]
    assert [one.id for one in api.sessions.get("s").traces] == [trace_id]

if major == 2:
    assert [one.id for one in langfuse.fetch_traces(name="agent").data] == [trace_id]
    assert langfuse.fetch_trace(trace_id).data.id == trace_id
    assert langfuse.fetch_observation(call.id).data.id == call.id
    assert len(langfuse.fetch_observations(trace_id=trace_id).data) == 2
    assert [one.id for one in langfuse.fetch_sessions().data] == ["s"]

if major >= 4:
    page = eventually(
        lambda: api.observations.get_many(trace_id=trace_id, fields="core,basic,io,usage", limit=1),
        lambda page: len(page.data) == 1 and page.meta.cursor,
    )
    rest = api.observations.get_many(
        trace_id=trace_id, fields="core,basic,io,usage", cursor=page.meta.cursor
    )
    names = sorted(one.name for one in page.data + rest.data)
    assert names == ["agent", "answer"], names
    assert rest.meta.cursor is None, rest.meta

if major < 5:
    api.trace.delete(trace_id)
    assert api.trace.list().meta.total_items == 0
