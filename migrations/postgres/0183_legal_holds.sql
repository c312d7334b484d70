CREATE TABLE legal_holds (
    id UUID CONSTRAINT legal_holds_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT legal_holds_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- A user is held once, asked for by both.
    CONSTRAINT legal_holds_project_id_user_id_key UNIQUE (project_id, user_id)
);
COMMENT ON TABLE legal_holds IS 'Users of applications whose data must not be deleted for the time being.';
