CREATE TABLE server_secrets (
    name TEXT CONSTRAINT server_secrets_pkey PRIMARY KEY,
    secret BYTEA NOT NULL
        CONSTRAINT server_secrets_secret_check CHECK (length(secret) = 32),
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE server_secrets IS 'Random secrets that all servers share, made by the first that starts. By one of them addresses of attachments are signed: deleting its row and starting again makes all of them void.';
