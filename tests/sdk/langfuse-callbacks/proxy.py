"""A call through LiteLLM, which tells of it by one of its callbacks; the provider is a mock of LiteLLM's own.

Configured by LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY; the first argument is the callback.
"""

import os
import sys

# Its prices are those that came with it.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm

import reading

callback = sys.argv[1]
litellm.success_callback = [callback] if callback == "langfuse" else []
litellm.callbacks = [callback] if callback != "langfuse" else []
question = [{"role": "user", "content": "Rain?"}]
answer = litellm.completion(
    model="gpt-4o-mini",
    messages=question,
    temperature=0.5,
    mock_response="Yes.",
    metadata={
        "trace_name": "asked",
        "generation_name": "answer",
        "trace_user_id": "u",
        "session_id": "s",
        "tags": ["a", "b"],
    },
)
assert answer.choices[0].message.content == "Yes."

listed = reading.eventually("/traces", lambda list: len(list["data"]) == 1)["data"][0]
trace = reading.eventually(
    "/traces/" + listed["id"],
    lambda trace: any(one["type"] == "GENERATION" for one in trace["observations"]),
)
assert trace["name"] == "asked", trace
assert (trace["userId"], trace["sessionId"]) == ("u", "s"), trace
assert trace["tags"][:2] == ["a", "b"], trace
(call,) = [one for one in trace["observations"] if one["type"] == "GENERATION"]
assert call["model"] == "gpt-4o-mini", call
assert "Rain?" in str(call["input"]), call["input"]
assert "Yes." in str(call["output"]), call["output"]
usage = answer.usage
assert call["usage"]["input"] == usage.prompt_tokens, call
assert call["usage"]["output"] == usage.completion_tokens, call
assert call["usage"]["total"] == usage.total_tokens, call
assert call["calculatedTotalCost"] > 0, call
assert call["modelParameters"]["temperature"] in (0.5, "0.5"), call
