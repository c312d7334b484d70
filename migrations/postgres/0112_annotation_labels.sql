CREATE TABLE annotation_labels (
    item_id UUID NOT NULL
        CONSTRAINT annotation_labels_item_id_fkey REFERENCES annotation_items (id) ON DELETE CASCADE,
    person_id UUID NOT NULL
        CONSTRAINT annotation_labels_person_id_fkey REFERENCES people (id),
    state TEXT NOT NULL
        CONSTRAINT annotation_labels_state_check CHECK (state IN ('reserved', 'skipped', 'done')),
    reserved_until TIMESTAMPTZ NOT NULL,
    answers JSONB NOT NULL,
    reason TEXT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    -- A person judges an item once; all of an item are read together, too.
    CONSTRAINT annotation_labels_pkey PRIMARY KEY (item_id, person_id)
);
COMMENT ON TABLE annotation_labels IS 'What each person made of an item: it is kept for them, was skipped, or is judged.';
COMMENT ON COLUMN annotation_labels.reserved_until IS 'From then on another one may take the place of a person who has not judged.';
COMMENT ON COLUMN annotation_labels.answers IS 'By configuration; the scores of it are telemetry, made anew from here with the same ids.';
-- What a person judged last is taken back first.
CREATE INDEX annotation_labels_person_id_idx ON annotation_labels (person_id, ended_at DESC);
