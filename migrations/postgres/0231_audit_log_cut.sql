-- The beginning of a log goes when its time is over. The chain goes on: an entry says where it was cut and what the last
-- entry's hash was, and from there on everything is verified as before.
ALTER TABLE audit_chains ADD COLUMN cut BIGINT NOT NULL DEFAULT 0;
COMMENT ON COLUMN audit_chains.cut IS 'The last entry that went; an entry says so, with its hash.';

CREATE OR REPLACE FUNCTION keep_audit_log() RETURNS TRIGGER LANGUAGE plpgsql AS $$
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
        IF EXISTS (SELECT FROM audit_chains WHERE project_id = OLD.project_id AND OLD.entry <= cut) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'entries of the audit log are neither changed nor deleted';
END $$;
