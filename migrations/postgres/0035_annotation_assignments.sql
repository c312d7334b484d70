CREATE TABLE annotation_assignments (
    queue_id UUID NOT NULL
        CONSTRAINT annotation_assignments_queue_id_fkey
        REFERENCES annotation_queues (id) ON DELETE CASCADE,
    person_id UUID NOT NULL
        CONSTRAINT annotation_assignments_person_id_fkey REFERENCES people (id),
    created_at TIMESTAMPTZ NOT NULL,
    -- A person is assigned once, however often that is said.
    CONSTRAINT annotation_assignments_pkey PRIMARY KEY (queue_id, person_id)
);
COMMENT ON TABLE annotation_assignments IS 'Who works on which queue. Somebody who leaves the organisation stays named here, and may enter nothing by it.';
