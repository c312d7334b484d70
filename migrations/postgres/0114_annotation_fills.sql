CREATE TABLE annotation_fills (
    -- A queue is filled by one filter at a time.
    queue_id UUID CONSTRAINT annotation_fills_pkey PRIMARY KEY
        CONSTRAINT annotation_fills_queue_id_fkey REFERENCES annotation_queues (id) ON DELETE CASCADE,
    filter JSONB NOT NULL,
    address TEXT NOT NULL,
    is_continuous BOOLEAN NOT NULL,
    person_id UUID NOT NULL
        CONSTRAINT annotation_fills_person_id_fkey REFERENCES people (id),
    looked_until TIMESTAMPTZ,
    added BIGINT NOT NULL,
    last_error TEXT NOT NULL,
    claim UUID,
    due_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE annotation_fills IS 'Which traces are put into a queue, once or as they come.';
COMMENT ON COLUMN annotation_fills.address IS 'The filter as the list of traces writes it.';
COMMENT ON COLUMN annotation_fills.due_at IS 'When a server looks next, or may take it over from one that is silent; NULL when there is nothing left to do.';
-- Servers ask for what is due.
CREATE INDEX annotation_fills_due_at_idx ON annotation_fills (due_at) WHERE due_at IS NOT NULL;
