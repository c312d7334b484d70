ALTER TABLE members ADD COLUMN from_groups BOOLEAN NOT NULL DEFAULT false;
COMMENT ON COLUMN members.from_groups IS 'Whether groups at the provider of sign-ins made them a member: without the group they are none any more.';
