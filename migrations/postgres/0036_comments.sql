CREATE TABLE comments (
    id UUID CONSTRAINT comments_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT comments_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    object_kind TEXT NOT NULL
        CONSTRAINT comments_object_kind_check
        CHECK (object_kind IN ('TRACE', 'OBSERVATION', 'SESSION', 'PROMPT')),
    object_id TEXT NOT NULL,
    content TEXT NOT NULL,
    author_id UUID CONSTRAINT comments_author_id_fkey REFERENCES people (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE comments IS 'Remarks on things of a project. They stay when the thing goes: who looks for them asks for the thing.';
COMMENT ON COLUMN comments.author_id IS 'Somebody of the organisation at that time; null: a program.';
-- All of a project, newest first.
CREATE INDEX comments_project_id_idx ON comments (project_id, created_at DESC, id DESC);
-- Those on one thing.
CREATE INDEX comments_object_idx ON comments (project_id, object_kind, object_id);
