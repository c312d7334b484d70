-- A project goes with all that is of it: every key that points at a project cascades from now on, and so
-- must those of tables that are made later (a test looks).
DO $$
DECLARE
    reference RECORD;
BEGIN
    FOR reference IN
        SELECT
            conrelid::regclass AS child,
            conname AS name,
            pg_get_constraintdef(oid) AS definition
        FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'projects'::regclass AND confdeltype = 'a'
    LOOP
        EXECUTE format(
            'ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s ON DELETE CASCADE',
            reference.child,
            reference.name,
            reference.name,
            reference.definition
        );
    END LOOP;
END
$$;
-- An organisation goes with its members, but not before its projects.
ALTER TABLE members
    DROP CONSTRAINT members_organisation_id_fkey,
    ADD CONSTRAINT members_organisation_id_fkey
        FOREIGN KEY (organisation_id) REFERENCES organisations (id) ON DELETE CASCADE;

CREATE TABLE removed_projects (
    -- One removal a project, looked for by nothing else: there are few.
    project_id UUID CONSTRAINT removed_projects_pkey PRIMARY KEY,
    removed_at TIMESTAMPTZ NOT NULL,
    passes INTEGER NOT NULL,
    next_pass_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE removed_projects IS 'Projects whose telemetry is being removed. No foreign key: the project is gone.';
COMMENT ON COLUMN removed_projects.passes IS 'How often its telemetry was removed: more than once, for some may have been on its way.';
COMMENT ON COLUMN removed_projects.next_pass_at IS 'When the next pass is due; moved ahead by the server that begins one, so that others leave it alone.';
