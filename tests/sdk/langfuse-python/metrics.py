"""Metrics and models through the released SDK, whichever version is installed.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import json
import sys
import time

from langfuse import Langfuse

major = int(sys.argv[1])
langfuse = Langfuse()
api = langfuse.client if major == 2 else langfuse.api


def eventually(read, is_right):
    """What is read, as soon as it is as it should be."""
    deadline = time.monotonic() + 60
    while True:
        found = read()
        if is_right(found):
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def create_model(name, **prices):
    pattern = f"(?i)^{name}$"
    if major >= 4:
        return api.models.create(model_name=name, match_pattern=pattern, unit="TOKENS", **prices)
    # The name of the package of types depends on the version.
    from langfuse.api import CreateModelRequest

    request = CreateModelRequest(
        model_name=name, match_pattern=pattern, unit="TOKENS", **prices
    )
    return api.models.create(request=request)


# A model of the project's own prices what it is used for.
model = create_model("ours", input_price=0.001, output_price=0.002)
assert (model.model_name, model.is_langfuse_managed) == ("ours", False), model
assert model.input_price == 0.001, model
assert api.models.get(model.id).model_name == "ours"
listed = api.models.list(limit=3)
assert [one.id for one in listed.data][0] == model.id, listed
assert listed.data[1].is_langfuse_managed, listed

usage = {"input": 3, "output": 2}
if major == 2:
    trace = langfuse.trace(name="agent")
    trace.generation(name="answer", model="ours").end(usage_details=usage)
else:
    with langfuse.start_as_current_observation(
        name="answer", as_type="generation", model="ours"
    ) as call:
        call.update(usage_details=usage)
langfuse.flush()

question = {
    "view": "observations",
    "dimensions": [{"field": "providedModelName"}],
    "metrics": [
        {"measure": "count", "aggregation": "count"},
        {"measure": "totalCost", "aggregation": "sum"},
        {"measure": "totalTokens", "aggregation": "sum"},
    ],
    "filters": [
        {"type": "string", "column": "name", "operator": "=", "value": "answer"},
    ],
    "fromTimestamp": "2020-01-01T00:00:00Z",
    "toTimestamp": "2100-01-01T00:00:00Z",
}
expected = {
    "providedModelName": "ours",
    "count_count": 1,
    "sum_totalCost": 0.007,
    "sum_totalTokens": 5,
}
versions = {
    2: lambda: [],
    3: lambda: [api.metrics.metrics, api.metrics_v_2.metrics],
    4: lambda: [api.legacy.metrics_v1.metrics, api.metrics.metrics],
    5: lambda: [api.metrics.metrics],
}
for metrics in versions[major]():
    asked = json.dumps(question)
    found = eventually(lambda: metrics(query=asked), lambda found: found.data == [expected])
    assert len(found.data) == 1, found

if major == 2:
    # The start of the call and its usage are events of their own, which may arrive apart.
    is_whole = lambda days: [
        (day.count_observations, day.total_cost) for day in days.data
    ] == [(1, 0.007)]
    days = eventually(lambda: api.metrics.daily(), is_whole)
    assert days.data[0].usage[0].model == "ours", days

api.models.delete(model.id)
try:
    api.models.get(model.id)
    raise AssertionError("it is still there")
except Exception as error:
    assert getattr(error, "status_code", None) == 404, error
