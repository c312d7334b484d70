-- One table for both kinds of key: public parts and secrets are unique among all of them, and whoever
-- shows one is found by one query.
ALTER TABLE api_keys
    ALTER COLUMN project_id DROP NOT NULL,
    ADD COLUMN organisation_id UUID
        CONSTRAINT api_keys_organisation_id_fkey REFERENCES organisations (id) ON DELETE CASCADE,
    ADD CONSTRAINT api_keys_one_tenant_check CHECK (num_nonnulls(project_id, organisation_id) = 1),
    DROP CONSTRAINT api_keys_role_check,
    ADD CONSTRAINT api_keys_role_check CHECK (
        role IN ('admin', 'member') AND project_id IS NOT NULL
        OR role IN ('owner', 'admin') AND organisation_id IS NOT NULL
    );
COMMENT ON TABLE api_keys IS 'Pairs of public and secret key, each of one project or of one organisation.';
COMMENT ON COLUMN api_keys.organisation_id IS 'The organisation that it manages; it opens none of the projects. NULL: a key of a project.';
COMMENT ON COLUMN api_keys.role IS 'What a program may do with the key, as a member of that role might. All keys of projects send telemetry, so none is a viewer; none is an owner, because they do not give organisations away. Those of organisations manage them: only one that is an owner makes owners.';
-- Listing the keys of an organisation.
CREATE INDEX api_keys_organisation_id_idx ON api_keys (organisation_id) WHERE organisation_id IS NOT NULL;
