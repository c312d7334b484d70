CREATE TABLE saved_views (
    id UUID CONSTRAINT saved_views_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT saved_views_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    person_id UUID NOT NULL
        CONSTRAINT saved_views_person_id_fkey REFERENCES people (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    is_shared BOOLEAN NOT NULL,
    is_default BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- Somebody's views of a project are read together, and a name says which one is meant.
    CONSTRAINT saved_views_person_id_name_key UNIQUE (project_id, person_id, name)
);
COMMENT ON TABLE saved_views IS 'States of the list of traces that people named.';
COMMENT ON COLUMN saved_views.query IS 'The state as the query of an address holds it: filter, range, columns.';
COMMENT ON COLUMN saved_views.is_shared IS 'Whether all members of the project see it.';
COMMENT ON COLUMN saved_views.is_default IS 'Whether the list opens with it: for its owner, or for all members who have no other.';
-- One default for a person; of shared ones each owner has one at most.
CREATE UNIQUE INDEX saved_views_default_key ON saved_views (project_id, person_id, is_shared) WHERE is_default;
-- Views that members share are read beside one's own.
CREATE INDEX saved_views_shared_idx ON saved_views (project_id) WHERE is_shared;
