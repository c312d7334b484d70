ALTER TABLE people ALTER COLUMN password_hash DROP NOT NULL;
COMMENT ON COLUMN people.password_hash IS 'argon2id in PHC form; NULL: nobody has set a password for them yet, so they cannot sign in.';
