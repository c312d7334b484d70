CREATE TABLE llm_connections (
    id UUID CONSTRAINT llm_connections_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT llm_connections_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    adapter TEXT NOT NULL
        CONSTRAINT llm_connections_adapter_check CHECK (
            adapter IN (
                'anthropic', 'openai', 'azure', 'bedrock', 'google-vertex-ai', 'google-ai-studio'
            )
        ),
    secret BYTEA NOT NULL,
    secret_hint TEXT NOT NULL,
    base_url TEXT,
    custom_models TEXT[] NOT NULL,
    with_default_models BOOLEAN NOT NULL,
    extra_headers BYTEA,
    extra_header_names TEXT[] NOT NULL,
    config JSON,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- A connection is set by its provider, and its index lists those of a project.
    CONSTRAINT llm_connections_project_id_provider_key UNIQUE (project_id, provider)
);
COMMENT ON TABLE llm_connections IS 'How to reach providers of models on behalf of a project.';
COMMENT ON COLUMN llm_connections.provider IS 'Name that the project gave the connection.';
COMMENT ON COLUMN llm_connections.secret IS 'Credential of the provider, sealed with the server''s encryption key: nonce of 24 bytes, then XChaCha20-Poly1305.';
COMMENT ON COLUMN llm_connections.secret_hint IS 'Last four characters, to tell credentials apart; empty for short ones.';
COMMENT ON COLUMN llm_connections.extra_headers IS 'JSON object of headers, sealed like the secret: gateways take credentials in them. NULL: none.';
COMMENT ON COLUMN llm_connections.extra_header_names IS 'Names of those headers, to be shown.';
COMMENT ON COLUMN llm_connections.config IS 'What the adapter needs beside it (a region), an object; NULL: nothing.';
