ALTER TABLE members
    DROP CONSTRAINT members_role_check,
    ADD CONSTRAINT members_role_check
        CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'none'));
COMMENT ON COLUMN members.role IS 'What they may do in the organisation, and in each of its projects where project_members says nothing else; none: nothing.';

CREATE TABLE project_members (
    project_id UUID NOT NULL
        CONSTRAINT project_members_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    organisation_id UUID NOT NULL,
    person_id UUID NOT NULL,
    role TEXT NOT NULL
        CONSTRAINT project_members_role_check
        CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'none')),
    since TIMESTAMPTZ NOT NULL,
    -- Every read knows the project.
    CONSTRAINT project_members_pkey PRIMARY KEY (project_id, person_id),
    -- Whoever leaves the organisation leaves its projects.
    CONSTRAINT project_members_member_fkey FOREIGN KEY (organisation_id, person_id)
        REFERENCES members (organisation_id, person_id) ON DELETE CASCADE
);
COMMENT ON TABLE project_members IS 'Roles that hold in one project instead of those that members have in its organisation.';
-- What goes when a member does.
CREATE INDEX project_members_member_idx ON project_members (organisation_id, person_id);
