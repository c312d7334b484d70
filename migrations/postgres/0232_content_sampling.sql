ALTER TABLE retention_settings ADD COLUMN sampling JSONB;
COMMENT ON COLUMN retention_settings.sampling IS 'Which traces keep their contents; NULL: all.';
