"""Prompts through the released SDK, whichever version is installed.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import sys

from langfuse import Langfuse

major = int(sys.argv[1])
langfuse = Langfuse()
assert langfuse.auth_check()

NAME = "team/greeting v1"


def fresh(name, **which):
    return langfuse.get_prompt(name, cache_ttl_seconds=0, **which)


def update(name, version, labels):
    if hasattr(langfuse, "update_prompt"):
        return langfuse.update_prompt(name=name, version=version, new_labels=labels)
    # Version 2 has the call in its generated part only.
    path = name.replace("/", "%2F").replace(" ", "%20")
    return langfuse.client.prompt_version.update(path, version, new_labels=labels)


# A text, two versions of it, by label and by number.
first = langfuse.create_prompt(
    name=NAME,
    prompt="Hello {{name}}",
    labels=["production"],
    tags=["greeting"],
    config={"model": "m", "temperature": 0.2},
    commit_message="first",
)
assert first.version == 1, first.version
langfuse.create_prompt(name=NAME, prompt="Welcome {{name}}", labels=["staging"])
prompt = fresh(NAME)
assert (prompt.name, prompt.version) == (NAME, 1), prompt
assert prompt.compile(name="Ada") == "Hello Ada"
assert prompt.config == {"model": "m", "temperature": 0.2}
assert prompt.labels == ["production"] and prompt.tags == ["greeting"], prompt.labels
assert prompt.commit_message == "first"
assert not prompt.is_fallback
assert fresh(NAME, label="staging").compile(name="Ada") == "Welcome Ada"
assert fresh(NAME, label="latest").version == 2
assert fresh(NAME, version=2).prompt == "Welcome {{name}}"

# A label moves; what the client remembers is its own affair.
langfuse.get_prompt(NAME)
moved = update(NAME, 2, ["production"])
assert set(moved.labels) == {"production", "staging", "latest"}, moved.labels
assert fresh(NAME).version == 2
assert fresh(NAME, version=1).labels == []
assert langfuse.get_prompt(NAME).version in (1, 2)

# What is not there is the fallback, or an error that says so.
# Version 2 counts tries here, and takes none of them for no end of them.
tries = 1 if major == 2 else 0
fallback = langfuse.get_prompt("missing", fallback="Hi {{name}}", max_retries=tries)
assert fallback.is_fallback and fallback.compile(name="Ada") == "Hi Ada"
try:
    langfuse.get_prompt("missing", max_retries=tries)
    sys.exit("a prompt that is not there was found")
except Exception as error:
    assert "404" in str(error) or "not found" in str(error).lower(), error

# A chat, with a placeholder where the SDK knows of them.
messages = [{"role": "system", "content": "You know {{topic}}"}]
if major >= 3:
    messages.append({"type": "placeholder", "name": "history"})
messages.append({"role": "user", "content": "{{question}}"})
langfuse.create_prompt(name="chat", type="chat", prompt=messages, labels=["production"])
chat = fresh("chat", type="chat")
values = {"topic": "harbours", "question": "Where?"}
expected = [
    {"role": "system", "content": "You know harbours"},
    {"role": "user", "content": "Where?"},
]
if major >= 3:
    values["history"] = [{"role": "assistant", "content": "Ask."}]
    expected.insert(1, {"role": "assistant", "content": "Ask."})
compiled = [
    {"role": message["role"], "content": message["content"]}
    for message in chat.compile(**values)
]
assert compiled == expected, compiled

# A prompt within a prompt.
tag = f"@@@langfusePrompt:name={NAME}|label=production@@@"
langfuse.create_prompt(name="outer", prompt=f"[{tag}]", labels=["production"])
assert fresh("outer").compile(name="Ada") == "[Welcome Ada]"

# The generated client knows the rest of the routes.
api = getattr(langfuse, "api", None) or langfuse.client
names = [row.name for row in api.prompts.list(limit=2).data]
assert names == ["chat", "outer"], names
row = api.prompts.list(name=NAME).data[0]
assert row.versions == [1, 2] and row.tags == ["greeting"], row
assert api.health.health().status == "OK"

if hasattr(langfuse, "shutdown"):
    langfuse.shutdown()
print("ok")
