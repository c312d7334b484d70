CREATE TABLE organisations (
    id UUID CONSTRAINT organisations_pkey PRIMARY KEY,
    name TEXT NOT NULL,
    external_id TEXT,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE organisations IS 'Own projects and have members.';
COMMENT ON COLUMN organisations.external_id IS 'Text that the operator gave as id; id is derived from it.';
