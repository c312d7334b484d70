ALTER TABLE projects ADD COLUMN public_links BOOLEAN NOT NULL DEFAULT true;
COMMENT ON COLUMN projects.public_links IS 'Whether traces that their clients or members call public are shown to anybody who has the address.';
