CREATE TABLE evaluator_hours (
    evaluator_id UUID NOT NULL
        CONSTRAINT evaluator_hours_evaluator_id_fkey REFERENCES evaluators (id) ON DELETE CASCADE,
    hour TIMESTAMPTZ NOT NULL,
    scored BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    total DOUBLE PRECISION NOT NULL,
    numbers BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    nano_usd BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    latency_ms DOUBLE PRECISION NOT NULL,
    CONSTRAINT evaluator_hours_pkey PRIMARY KEY (evaluator_id, hour)
);
COMMENT ON TABLE evaluator_hours IS 'What evaluators did, by the hour.';
COMMENT ON COLUMN evaluator_hours.failures IS 'Tries that came to no score: calls that failed, answers that were none.';
COMMENT ON COLUMN evaluator_hours.skipped IS 'Spans that lack what is asked about.';
COMMENT ON COLUMN evaluator_hours.total IS 'Sum of scores that are numbers, yes counted as 1.';
COMMENT ON COLUMN evaluator_hours.numbers IS 'How many those are.';
COMMENT ON COLUMN evaluator_hours.latency_ms IS 'Sum over the calls.';
