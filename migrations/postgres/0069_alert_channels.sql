CREATE TABLE alert_channels (
    id UUID CONSTRAINT alert_channels_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT alert_channels_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL
        CONSTRAINT alert_channels_kind_check CHECK (kind IN ('webhook', 'slack', 'alertmanager')),
    host TEXT NOT NULL,
    target BYTEA NOT NULL,
    enabled BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- A name is given once, and its index lists those of a project.
    CONSTRAINT alert_channels_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE alert_channels IS 'Where projects are told of incidents.';
COMMENT ON COLUMN alert_channels.host IS 'Host of the address, to be shown.';
COMMENT ON COLUMN alert_channels.target IS 'JSON of address and secret, sealed with the server''s encryption key: an address may be a credential itself.';
