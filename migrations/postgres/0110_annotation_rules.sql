ALTER TABLE annotation_queues
    ADD COLUMN rubric TEXT NOT NULL DEFAULT '',
    ADD COLUMN raters INTEGER NOT NULL DEFAULT 1
        CONSTRAINT annotation_queues_raters_check CHECK (raters BETWEEN 1 AND 20),
    ADD COLUMN reservation_s INTEGER NOT NULL DEFAULT 600
        CONSTRAINT annotation_queues_reservation_s_check CHECK (reservation_s BETWEEN 30 AND 86400),
    ADD COLUMN is_blind BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN is_pairwise BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN archived_at TIMESTAMPTZ;
COMMENT ON COLUMN annotation_queues.raters IS 'People who judge an item before it is complete.';
COMMENT ON COLUMN annotation_queues.reservation_s IS 'How long an item is kept for whoever opened it, in seconds.';
COMMENT ON COLUMN annotation_queues.is_blind IS 'Whether raters see the judgements of others only after their own.';
COMMENT ON COLUMN annotation_queues.is_pairwise IS 'Whether items are two things of which one is chosen.';
