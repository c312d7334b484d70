CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    person_id UUID NOT NULL
        CONSTRAINT identities_person_id_fkey REFERENCES people (id) ON DELETE CASCADE,
    since TIMESTAMPTZ NOT NULL,
    CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject)
);
COMMENT ON TABLE identities IS 'Who people are at providers of OpenID Connect.';
CREATE UNIQUE INDEX identities_person_id_issuer_idx ON identities (person_id, issuer);
