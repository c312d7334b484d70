CREATE TABLE used_keys (
    public_key_hash BYTEA NOT NULL,
    secret_hash BYTEA NOT NULL,
    revoked BOOLEAN NOT NULL,
    -- The same pair is used once. It also finds a public key.
    CONSTRAINT used_keys_pkey PRIMARY KEY (public_key_hash, secret_hash)
);
COMMENT ON TABLE used_keys IS 'Keys that went with their project or organisation: nobody is given one of them again.';
COMMENT ON COLUMN used_keys.public_key_hash IS 'SHA-256, as that of the secret: whose it was is forgotten.';
COMMENT ON COLUMN used_keys.revoked IS 'Whether it was refused before; the settings of a first start may use again what was not.';
-- A secret is used once, whatever the public key beside it.
CREATE INDEX used_keys_secret_hash_idx ON used_keys (secret_hash);

-- Keys go by way of their project or organisation; a trigger sees them all, whatever deletes those.
CREATE FUNCTION note_used_key() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO used_keys (public_key_hash, secret_hash, revoked)
    VALUES (sha256(convert_to(OLD.public_key, 'UTF8')), OLD.secret_hash, OLD.revoked_at IS NOT NULL)
    ON CONFLICT ON CONSTRAINT used_keys_pkey DO UPDATE SET revoked = excluded.revoked;
    RETURN NULL;
END
$$;
CREATE TRIGGER api_keys_used AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_used_key();
