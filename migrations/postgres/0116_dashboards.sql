CREATE TABLE dashboards (
    -- Its address holds it, whatever it is called.
    id UUID CONSTRAINT dashboards_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT dashboards_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL
        CONSTRAINT dashboards_name_check CHECK (char_length(name) BETWEEN 1 AND 100),
    document JSONB NOT NULL,
    revision INTEGER NOT NULL
        CONSTRAINT dashboards_revision_check CHECK (revision > 0),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE dashboards IS 'Charts over the numbers of a project, as its members put them together.';
COMMENT ON COLUMN dashboards.document IS 'Name, description and widgets, as they are exported.';
COMMENT ON COLUMN dashboards.revision IS 'Counts changes, so that one made meanwhile is not overwritten.';
-- Those of a project.
CREATE INDEX dashboards_project_id_idx ON dashboards (project_id);
