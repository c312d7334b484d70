CREATE TABLE annotation_items (
    id UUID CONSTRAINT annotation_items_pkey PRIMARY KEY,
    queue_id UUID NOT NULL
        CONSTRAINT annotation_items_queue_id_fkey REFERENCES annotation_queues (id) ON DELETE CASCADE,
    object_kind TEXT NOT NULL
        CONSTRAINT annotation_items_object_kind_check
        CHECK (object_kind IN ('TRACE', 'OBSERVATION', 'SESSION')),
    object_id TEXT NOT NULL,
    status TEXT NOT NULL
        CONSTRAINT annotation_items_status_check CHECK (status IN ('PENDING', 'COMPLETED')),
    completed_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT annotation_items_completed_at_check
        CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL))
);
COMMENT ON TABLE annotation_items IS 'Things that wait in a queue, or were judged. The same thing may come twice.';
COMMENT ON COLUMN annotation_items.object_id IS 'Id of a trace, a span or a session: telemetry, which need not have come yet.';
-- A queue is read newest first, whole or what is pending.
CREATE INDEX annotation_items_queue_id_idx ON annotation_items (queue_id, created_at DESC, id DESC);
