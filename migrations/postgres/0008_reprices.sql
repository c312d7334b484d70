CREATE TABLE reprices (
    id UUID CONSTRAINT reprices_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT reprices_project_id_fkey REFERENCES projects (id),
    filter JSONB NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT reprices_state_check CHECK (state IN ('running', 'done', 'failed')),
    done BIGINT NOT NULL,
    total BIGINT,
    changed BIGINT NOT NULL,
    place TEXT,
    tries INTEGER NOT NULL,
    held_until TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE reprices IS 'Histories being priced anew, and those that were.';
COMMENT ON COLUMN reprices.place IS 'The last call that was looked at; NULL: none yet. It goes on from there after a restart.';
COMMENT ON COLUMN reprices.tries IS 'How often it was taken up without going on.';
COMMENT ON COLUMN reprices.held_until IS 'Until then a server works on it; afterwards any server may take it up.';
CREATE UNIQUE INDEX reprices_one_running_key ON reprices (project_id) WHERE state = 'running';
CREATE INDEX reprices_project_id_idx ON reprices (project_id);
