COMMENT ON TABLE comments IS 'Remarks on things of a project. Those on a trace, its observations or a version of a prompt go with it.';
-- What is pending for a trace and its observations is taken out when the trace is deleted.
CREATE INDEX annotation_items_pending_object_idx ON annotation_items (object_id) WHERE status = 'PENDING';
