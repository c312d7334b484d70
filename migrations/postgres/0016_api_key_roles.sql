ALTER TABLE api_keys
    ADD COLUMN role TEXT NOT NULL DEFAULT 'member'
        CONSTRAINT api_keys_role_check CHECK (role IN ('admin', 'member', 'viewer'));
COMMENT ON COLUMN api_keys.role IS 'What a program may do with the key, as a member of that role might. No key is an owner: programs do not give organisations away.';
