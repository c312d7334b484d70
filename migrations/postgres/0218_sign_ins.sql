CREATE TABLE sign_ins (
    id UUID CONSTRAINT sign_ins_pkey PRIMARY KEY,
    session_id TEXT NOT NULL CONSTRAINT sign_ins_session_id_key UNIQUE
        CONSTRAINT sign_ins_session_id_fkey REFERENCES sign_in_sessions (id) ON DELETE CASCADE,
    person_id UUID NOT NULL
        CONSTRAINT sign_ins_person_id_fkey REFERENCES people (id) ON DELETE CASCADE,
    method TEXT NOT NULL CONSTRAINT sign_ins_method_check CHECK (method IN ('password', 'oidc')),
    user_agent TEXT NOT NULL,
    address TEXT NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    last_used TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE sign_ins IS 'Whose each session is. A session without a row here is nobody''s, so that deleting the row ends it.';
COMMENT ON COLUMN sign_ins.last_used IS 'To some minutes: it is not written with every page.';
CREATE INDEX sign_ins_person_id_idx ON sign_ins (person_id);
