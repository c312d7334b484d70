CREATE TABLE people (
    id UUID CONSTRAINT people_pkey PRIMARY KEY,
    email TEXT NOT NULL CONSTRAINT people_email_key UNIQUE
        CONSTRAINT people_email_lower_check CHECK (email = lower(email)),
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE people IS 'Those who sign in; not the users of the observed applications.';
COMMENT ON COLUMN people.password_hash IS 'argon2id in PHC form.';
