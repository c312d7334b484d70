-- Filters fill datasets as they fill queues.
ALTER TABLE annotation_fills RENAME TO fills;
ALTER INDEX annotation_fills_due_at_idx RENAME TO fills_due_at_idx;
ALTER TABLE fills RENAME CONSTRAINT annotation_fills_queue_id_fkey TO fills_queue_id_fkey;
ALTER TABLE fills RENAME CONSTRAINT annotation_fills_person_id_fkey TO fills_person_id_fkey;
ALTER TABLE fills DROP CONSTRAINT annotation_fills_pkey;
ALTER TABLE fills
    ADD COLUMN id UUID NOT NULL DEFAULT gen_random_uuid()
        CONSTRAINT fills_pkey PRIMARY KEY,
    ALTER COLUMN queue_id DROP NOT NULL,
    -- A queue, or a dataset, is filled by one filter at a time.
    ADD CONSTRAINT fills_queue_id_key UNIQUE (queue_id),
    ADD COLUMN dataset_id UUID
        CONSTRAINT fills_dataset_id_key UNIQUE
        CONSTRAINT fills_dataset_id_fkey REFERENCES datasets (id) ON DELETE CASCADE,
    ADD CONSTRAINT fills_target_check CHECK (num_nonnulls(queue_id, dataset_id) = 1),
    ADD COLUMN takes_spans BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN share DOUBLE PRECISION NOT NULL DEFAULT 1
        CONSTRAINT fills_share_check CHECK (share > 0 AND share <= 1),
    ADD COLUMN most BIGINT
        CONSTRAINT fills_most_check CHECK (most > 0),
    ADD COLUMN challenge TEXT;
COMMENT ON TABLE fills IS 'What is put into a queue or a dataset, once or as it comes.';
COMMENT ON COLUMN fills.address IS 'The filter as a list of traces writes it.';
COMMENT ON COLUMN fills.takes_spans IS 'Whether spans are put in, and not traces.';
COMMENT ON COLUMN fills.share IS 'Which share of what matches is put in.';
COMMENT ON COLUMN fills.most IS 'Items that there are at most; NULL: as many as the target may have.';
COMMENT ON COLUMN fills.challenge IS 'What items that are put in are tagged with.';
