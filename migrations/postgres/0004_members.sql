CREATE TABLE members (
    organisation_id UUID NOT NULL
        CONSTRAINT members_organisation_id_fkey REFERENCES organisations (id),
    person_id UUID NOT NULL
        CONSTRAINT members_person_id_fkey REFERENCES people (id),
    role TEXT NOT NULL
        CONSTRAINT members_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    since TIMESTAMPTZ NOT NULL,
    CONSTRAINT members_pkey PRIMARY KEY (organisation_id, person_id)
);
COMMENT ON TABLE members IS 'Who belongs to which organisation, and as what.';
-- "Which projects may this person enter" starts from the person.
CREATE INDEX members_person_id_idx ON members (person_id);
