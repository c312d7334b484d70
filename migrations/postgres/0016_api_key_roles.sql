ALTER TABLE api_keys
    ADD COLUMN role TEXT NOT NULL DEFAULT 'member'
        CONSTRAINT api_keys_role_check CHECK (role IN ('admin', 'member'));
COMMENT ON COLUMN api_keys.role IS 'What a program may do with the key, as a member of that role might. All keys send telemetry, so none is a viewer; none is an owner, because programs do not give organisations away.';
