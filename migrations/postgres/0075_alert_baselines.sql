CREATE TABLE alert_baselines (
    project_id UUID NOT NULL
        CONSTRAINT alert_baselines_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    what TEXT NOT NULL,
    as_of TIMESTAMPTZ NOT NULL,
    groups JSONB NOT NULL,
    -- Asked for by all of them.
    CONSTRAINT alert_baselines_pkey PRIMARY KEY (project_id, what, as_of)
);
COMMENT ON TABLE alert_baselines IS 'What is usual of a series at each hour of the day, worked out once a day.';
COMMENT ON COLUMN alert_baselines.what IS 'SHA-256 of series, filter, dimensions and settings, in hexadecimal.';
COMMENT ON COLUMN alert_baselines.groups IS 'JSON [[group, {hour: {median, mad, samples}}]].';
