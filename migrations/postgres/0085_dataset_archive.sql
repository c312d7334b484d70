-- A dataset that is archived is kept, with its runs, and stays readable by its name; lists leave it out.
ALTER TABLE datasets ADD COLUMN archived_at TIMESTAMPTZ;
COMMENT ON COLUMN datasets.archived_at IS 'When it was archived; NULL: it is not.';
