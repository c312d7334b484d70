CREATE TABLE mentions (
    person_id UUID NOT NULL
        CONSTRAINT mentions_person_id_fkey REFERENCES people (id) ON DELETE CASCADE,
    comment_id UUID NOT NULL
        CONSTRAINT mentions_comment_id_fkey REFERENCES comments (id) ON DELETE CASCADE,
    project_id UUID NOT NULL
        CONSTRAINT mentions_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    read_at TIMESTAMPTZ,
    -- Every question is of one person in one project; ids of comments sort by age.
    CONSTRAINT mentions_pkey PRIMARY KEY (person_id, project_id, comment_id)
);
COMMENT ON TABLE mentions IS 'Whom comments name, from when they are written. They go with the comment.';
COMMENT ON COLUMN mentions.read_at IS 'When the person followed it; null: not yet.';
-- The number beside one's name on every page: most are read.
CREATE INDEX mentions_unread_idx ON mentions (person_id, project_id) WHERE read_at IS NULL;
-- A comment that goes takes them with it.
CREATE INDEX mentions_comment_id_idx ON mentions (comment_id);
