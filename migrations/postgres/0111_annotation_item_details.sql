ALTER TABLE annotation_items
    ADD COLUMN second_id TEXT,
    ADD COLUMN known JSONB;
COMMENT ON COLUMN annotation_items.second_id IS 'The thing that object_id is compared with, of the same kind; in pairwise queues alone.';
COMMENT ON COLUMN annotation_items.known IS 'The right answers, by which raters are measured; NULL for an item that belongs to no calibration set.';
