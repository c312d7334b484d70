-- The shape is that of tower-sessions-sqlx-store, which reads and writes it.
CREATE TABLE sign_in_sessions (
    id TEXT CONSTRAINT sign_in_sessions_pkey PRIMARY KEY,
    data BYTEA NOT NULL,
    expiry_date TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE sign_in_sessions IS 'Sessions of people at the pages.';
CREATE INDEX sign_in_sessions_expiry_date_idx ON sign_in_sessions (expiry_date);
