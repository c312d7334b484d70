CREATE TABLE evaluations (
    evaluator_id UUID NOT NULL
        CONSTRAINT evaluations_evaluator_id_fkey REFERENCES evaluators (id) ON DELETE CASCADE,
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT evaluations_state_check CHECK (state IN ('waiting', 'scored', 'failed', 'skipped')),
    tries INTEGER NOT NULL,
    due_at TIMESTAMPTZ,
    claim UUID,
    tried_at TIMESTAMPTZ,
    value TEXT NOT NULL,
    words TEXT NOT NULL,
    nano_usd BIGINT,
    tokens BIGINT,
    latency_ms DOUBLE PRECISION,
    -- Each span is scored once.
    CONSTRAINT evaluations_pkey PRIMARY KEY (evaluator_id, trace_id, span_id)
);
COMMENT ON TABLE evaluations IS 'Spans that wait for an evaluator, and what came of them; a week long.';
COMMENT ON COLUMN evaluations.due_at IS 'When it is taken up; while a server works on it, until when that has the turn. NULL: it is over.';
COMMENT ON COLUMN evaluations.claim IS 'The turn that works on it, or worked last.';
COMMENT ON COLUMN evaluations.tried_at IS 'When it was last worked on.';
COMMENT ON COLUMN evaluations.value IS 'The score in words; empty without one.';
COMMENT ON COLUMN evaluations.words IS 'Why it got this score, or what went wrong.';
COMMENT ON COLUMN evaluations.nano_usd IS 'What the calls cost, in billionths of a US dollar; NULL: not known.';
-- What a server may take up.
CREATE INDEX evaluations_due_idx ON evaluations (evaluator_id, due_at) WHERE due_at IS NOT NULL;
-- What came last, and what is old.
CREATE INDEX evaluations_tried_idx ON evaluations (evaluator_id, tried_at) WHERE tried_at IS NOT NULL;
