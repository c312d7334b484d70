ALTER TABLE evaluators
    ADD COLUMN back_from TIMESTAMPTZ,
    ADD COLUMN back_until TIMESTAMPTZ,
    ADD CONSTRAINT evaluators_back_check CHECK ((back_from IS NULL) = (back_until IS NULL));
COMMENT ON COLUMN evaluators.back_from IS 'Where the stretch begins that somebody wanted scored after the fact; NULL: nobody does, or all of it was looked at.';
COMMENT ON COLUMN evaluators.back_until IS 'Where what is left of it ends: it is looked at from its end to its beginning.';
