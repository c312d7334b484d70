"""Attachments in spans, sent, referred to and resolved through the released SDK.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import base64
import sys
import time

from langfuse import Langfuse
from langfuse.media import LangfuseMedia

major = int(sys.argv[1])
langfuse = Langfuse()
api = langfuse.api

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP438DwHwAGgAJ/EEwb4QAAAABJRU5ErkJggg=="
)
URI = "data:image/png;base64," + base64.b64encode(PICTURE).decode()


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


picture = LangfuseMedia(content_bytes=PICTURE, content_type="image/png")
sound = LangfuseMedia(content_bytes=b"RIFF" + bytes(300_000), content_type="audio/wav")
with langfuse.start_as_current_observation(
    name="look", input={"picture": picture, "question": "What is it?"}, metadata={"said": sound}
) as span:
    span.update(output={"found": URI})
    trace_id, span_id = span.trace_id, span.id
langfuse.flush()

media = eventually(lambda: api.media.get(picture._media_id))
assert (media.content_type, media.content_length) == ("image/png", len(PICTURE)), media
assert media.media_id == picture._media_id
assert eventually(lambda: api.media.get(sound._media_id)).content_length == 300_004

if major < 5:
    if major == 3:
        read = lambda: api.observations.get(span_id)
    else:
        read = lambda: api.legacy.observations_v1.get(span_id)
    found = eventually(read)
    stored = found.input
    assert picture._media_id in found.output["found"], found.output
else:
    page = eventually(
        lambda: api.observations.get_many(trace_id=trace_id, fields="core,basic,io"),
        lambda page: len(page.data) == 1,
    )
    stored = page.data[0].input
    if isinstance(stored, str):
        import json

        stored = json.loads(stored)
reference = stored["picture"]
assert reference.startswith("@@@langfuseMedia:type=image/png|id="), reference
parsed = LangfuseMedia.parse_reference_string(reference)
assert parsed["media_id"] == picture._media_id, parsed

resolved = LangfuseMedia.resolve_media_references(
    langfuse_client=langfuse, obj=stored, resolve_with="base64_data_uri"
)
assert resolved == {"picture": URI, "question": "What is it?"}, resolved

if major >= 5:
    # The attachment goes before its item; what is read has it in the place of the reference.
    langfuse.create_dataset(name="pictures")
    langfuse.create_dataset_item(
        dataset_name="pictures",
        input={"picture": LangfuseMedia(content_bytes=PICTURE + b"2", content_type="image/png")},
    )
    (item,) = langfuse.get_dataset("pictures").items
    assert item.input["picture"].fetch_bytes() == PICTURE + b"2", item.input
