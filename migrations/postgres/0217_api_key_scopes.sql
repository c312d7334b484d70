ALTER TABLE api_keys
    ADD COLUMN scopes TEXT[],
    ADD COLUMN expires_at TIMESTAMPTZ,
    ADD CONSTRAINT api_keys_scopes_check CHECK (
        scopes IS NULL
        OR cardinality(scopes) > 0
        AND scopes <@ ARRAY['ingest', 'read', 'scores', 'prompts']
        AND role = 'member'
        AND project_id IS NOT NULL
    );
COMMENT ON COLUMN api_keys.scopes IS 'What the key may be used for, of what its role may do; NULL: all of it.';
COMMENT ON COLUMN api_keys.expires_at IS 'From when on it is refused; NULL: never.';
