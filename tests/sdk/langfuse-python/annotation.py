"""Annotation queues and comments through the released SDK's client of the whole interface.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import sys

from langfuse import Langfuse

major = int(sys.argv[1])
langfuse = Langfuse()
api = langfuse.api


def call(function, **fields):
    """Version 3 takes one request, later ones take its fields."""
    if major > 3:
        return function(**fields)
    import inspect

    parameters = inspect.signature(function).parameters
    own = {name: fields.pop(name) for name in list(fields) if name in parameters}
    annotation = parameters["request"].annotation
    if isinstance(annotation, str):
        annotation = getattr(sys.modules["langfuse.api"], annotation.split(".")[-1])
    return function(request=annotation(**fields), **own)


with langfuse.start_as_current_observation(name="to judge") as span:
    trace_id, span_id = span.trace_id, span.id
langfuse.flush()
project = api.projects.get().data[0].id

config = call(api.score_configs.create, name="ok", data_type="BOOLEAN")
queue = call(
    api.annotation_queues.create_queue,
    name="daily", description="ten a day", score_config_ids=[config.id],
)
assert (queue.name, queue.score_config_ids) == ("daily", [config.id]), queue
assert api.annotation_queues.get_queue(queue.id) == queue
assert [one.id for one in api.annotation_queues.list_queues(limit=5).data] == [queue.id]
item = call(
    api.annotation_queues.create_queue_item,
    queue_id=queue.id, object_id=trace_id, object_type="TRACE",
)
assert (item.status, item.completed_at) == ("PENDING", None), item
done = call(
    api.annotation_queues.update_queue_item,
    queue_id=queue.id, item_id=item.id, status="COMPLETED",
)
assert done.completed_at is not None, done
listed = api.annotation_queues.list_queue_items(queue.id, status="COMPLETED")
assert [one.id for one in listed.data] == [item.id], listed
assert api.annotation_queues.get_queue_item(queue.id, item.id) == done
gone = api.annotation_queues.delete_queue_item(queue.id, item.id)
assert gone.success, gone
assert api.annotation_queues.list_queue_items(queue.id).meta.total_items == 0

for kind, thing in [("TRACE", trace_id), ("OBSERVATION", span_id)]:
    made = call(
        api.comments.create,
        project_id=project, object_type=kind, object_id=thing, content="why so slow?",
    )
    by_id = getattr(api.comments, "get_by_id")
    comment = by_id(made.id)
    assert (comment.content, comment.object_id) == ("why so slow?", thing), comment
found = api.comments.get(object_type="TRACE", object_id=trace_id)
assert [one.content for one in found.data] == ["why so slow?"], found
