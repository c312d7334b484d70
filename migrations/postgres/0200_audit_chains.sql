-- Each entry of the audit log seals the one before it: what is changed, moved or taken out afterwards is found.
ALTER TABLE audit_log
    ALTER COLUMN project_id DROP NOT NULL,
    ALTER COLUMN before TYPE TEXT USING before::TEXT,
    ALTER COLUMN after TYPE TEXT USING after::TEXT,
    ADD COLUMN organisation_id UUID
        CONSTRAINT audit_log_organisation_id_fkey REFERENCES organisations (id) ON DELETE CASCADE,
    ADD COLUMN entry BIGINT,
    ADD COLUMN salt BYTEA,
    ADD COLUMN digest BYTEA,
    ADD COLUMN hash BYTEA,
    ADD CONSTRAINT audit_log_owner_check CHECK ((project_id IS NULL) <> (organisation_id IS NULL));
COMMENT ON COLUMN audit_log.organisation_id IS 'Where it is of no project: sign-ins, members.';
COMMENT ON COLUMN audit_log.entry IS 'Its place in the chain, from 1.';
COMMENT ON COLUMN audit_log.salt IS 'What its details are hashed with; NULL: they were blanked, for they named somebody who was forgotten.';
COMMENT ON COLUMN audit_log.digest IS 'SHA-256 of salt, object, before and after.';
COMMENT ON COLUMN audit_log.hash IS 'SHA-256 of the hash before it and of all that it says, by way of the digest.';

CREATE TABLE audit_chains (
    id UUID CONSTRAINT audit_chains_pkey PRIMARY KEY,
    project_id UUID
        CONSTRAINT audit_chains_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    organisation_id UUID
        CONSTRAINT audit_chains_organisation_id_fkey REFERENCES organisations (id) ON DELETE CASCADE,
    entries BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    CONSTRAINT audit_chains_id_check CHECK (
        (project_id IS NULL) <> (organisation_id IS NULL) AND id = coalesce(project_id, organisation_id)
    )
);
COMMENT ON TABLE audit_chains IS 'The end of the audit log of each project and organisation. Its row is held by whoever writes the next entry.';
CREATE INDEX audit_chains_project_id_idx ON audit_chains (project_id);
CREATE INDEX audit_chains_organisation_id_idx ON audit_chains (organisation_id);

-- What was written before is sealed as it stands.
DO $$
DECLARE
    it RECORD;
    chain UUID;
    number BIGINT;
    previous BYTEA;
    details BYTEA;
    sealed BYTEA;
    fresh BYTEA;
    field TEXT;
    part BYTEA;
BEGIN
    FOR it IN SELECT * FROM audit_log ORDER BY project_id, id LOOP
        IF chain IS DISTINCT FROM it.project_id THEN
            chain := it.project_id;
            number := 0;
            previous := decode(repeat('00', 32), 'hex');
        END IF;
        number := number + 1;
        fresh := uuid_send(gen_random_uuid());
        details := int8send(octet_length(fresh)::BIGINT) || fresh;
        FOREACH field IN ARRAY ARRAY[it.object, it.before, it.after] LOOP
            part := convert_to(field, 'UTF8');
            details := details || int8send(octet_length(part)::BIGINT) || part;
        END LOOP;
        details := sha256(details);
        sealed := int8send(15::BIGINT) || 'triaxis.audit.1'::BYTEA || int8send(32::BIGINT) || previous;
        FOREACH field IN ARRAY ARRAY[
            chain::TEXT,
            number::TEXT,
            (extract(EPOCH FROM it.at) * 1000000)::BIGINT::TEXT,
            it.actor,
            it.action
        ] LOOP
            part := convert_to(field, 'UTF8');
            sealed := sealed || int8send(octet_length(part)::BIGINT) || part;
        END LOOP;
        sealed := sha256(sealed || int8send(32::BIGINT) || details);
        UPDATE audit_log SET entry = number, salt = fresh, digest = details, hash = sealed
        WHERE id = it.id;
        INSERT INTO audit_chains (id, project_id, entries, hash) VALUES (chain, chain, number, sealed)
        ON CONFLICT (id) DO UPDATE SET entries = excluded.entries, hash = excluded.hash;
        previous := sealed;
    END LOOP;
END $$;

ALTER TABLE audit_log
    ALTER COLUMN entry SET NOT NULL,
    ALTER COLUMN digest SET NOT NULL,
    ALTER COLUMN hash SET NOT NULL;
-- Two entries cannot have the same place.
CREATE UNIQUE INDEX audit_log_project_id_entry_idx ON audit_log (project_id, entry)
    WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX audit_log_organisation_id_entry_idx ON audit_log (organisation_id, entry)
    WHERE organisation_id IS NOT NULL;

-- Nobody changes it by accident: details that name somebody are blanked, and all goes with its project.
CREATE FUNCTION keep_audit_log() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.salt IS NULL AND NEW.object = '' AND NEW.before = 'null' AND NEW.after = 'null'
            AND (NEW.id, NEW.project_id, NEW.organisation_id, NEW.entry, NEW.at, NEW.actor, NEW.action, NEW.digest, NEW.hash)
                IS NOT DISTINCT FROM
                (OLD.id, OLD.project_id, OLD.organisation_id, OLD.entry, OLD.at, OLD.actor, OLD.action, OLD.digest, OLD.hash)
        THEN
            RETURN NEW;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM projects WHERE id = OLD.project_id)
            AND NOT EXISTS (SELECT FROM organisations WHERE id = OLD.organisation_id)
        THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'entries of the audit log are neither changed nor deleted';
END $$;
CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
