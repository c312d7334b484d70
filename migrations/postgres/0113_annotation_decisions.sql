CREATE TABLE annotation_decisions (
    item_id UUID NOT NULL
        CONSTRAINT annotation_decisions_item_id_fkey REFERENCES annotation_items (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    answer JSONB NOT NULL,
    reason TEXT NOT NULL,
    person_id UUID NOT NULL
        CONSTRAINT annotation_decisions_person_id_fkey REFERENCES people (id),
    decided_at TIMESTAMPTZ NOT NULL,
    -- One answer is final; those of an item are read together.
    CONSTRAINT annotation_decisions_pkey PRIMARY KEY (item_id, question)
);
COMMENT ON TABLE annotation_decisions IS 'What holds where people disagreed.';
COMMENT ON COLUMN annotation_decisions.question IS 'Id of a score configuration, or preference.';
