CREATE TABLE api_keys (
    id UUID CONSTRAINT api_keys_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT api_keys_project_id_fkey REFERENCES projects (id),
    public_key TEXT NOT NULL CONSTRAINT api_keys_public_key_key UNIQUE,
    secret_hash BYTEA NOT NULL CONSTRAINT api_keys_secret_hash_key UNIQUE,
    secret_hint TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ
);
COMMENT ON TABLE api_keys IS 'Pairs of public and secret key, each of one project.';
COMMENT ON COLUMN api_keys.secret_hash IS 'SHA-256. Secrets that we make have 190 random bits, so a slow hash would add nothing; it must be quick and findable because a bearer token is looked up by it. A weak secret chosen by the operator (TRIAXIS_INIT_SECRET_KEY) stays weak for whoever holds a copy of this table.';
COMMENT ON COLUMN api_keys.secret_hint IS 'Last four characters, to tell keys apart; empty for short secrets.';
COMMENT ON COLUMN api_keys.revoked_at IS 'Rows stay when revoked, so that TRIAXIS_INIT_* cannot bring a revoked key back.';
CREATE INDEX api_keys_project_id_idx ON api_keys (project_id);
