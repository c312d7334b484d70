-- A thing is looked for in a queue before a filter puts it there.
CREATE INDEX annotation_items_object_idx ON annotation_items (queue_id, object_kind, object_id);
