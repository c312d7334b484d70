ALTER TABLE members
    DROP CONSTRAINT members_role_check,
    ADD CONSTRAINT members_role_check
        CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'annotator', 'auditor', 'none'));
ALTER TABLE project_members
    DROP CONSTRAINT project_members_role_check,
    ADD CONSTRAINT project_members_role_check
        CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'annotator', 'auditor', 'none'));
