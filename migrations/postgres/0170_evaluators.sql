CREATE TABLE evaluators (
    id UUID CONSTRAINT evaluators_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT evaluators_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    document JSONB NOT NULL,
    is_enabled BOOLEAN NOT NULL,
    at_once INTEGER NOT NULL,
    max_nano_usd_per_day BIGINT,
    on_since TIMESTAMPTZ NOT NULL,
    looked_until TIMESTAMPTZ NOT NULL,
    look_at TIMESTAMPTZ,
    look_claim UUID,
    failures INTEGER NOT NULL,
    held_until TIMESTAMPTZ,
    last_error TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT evaluators_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE evaluators IS 'What scores spans of a project by itself.';
COMMENT ON COLUMN evaluators.document IS 'All that is set of it.';
COMMENT ON COLUMN evaluators.at_once IS 'Spans that are taken up at once: each call of a model is one, rules take many.';
COMMENT ON COLUMN evaluators.max_nano_usd_per_day IS 'What its calls may cost in a day, in billionths of a US dollar; NULL: whatever they cost.';
COMMENT ON COLUMN evaluators.on_since IS 'When it was last switched on or off: what ended before is none of its business.';
COMMENT ON COLUMN evaluators.looked_until IS 'What ended before waits to be scored or is.';
COMMENT ON COLUMN evaluators.look_at IS 'When it looks for spans next; while a server does, until when that has the turn. NULL: it is off.';
COMMENT ON COLUMN evaluators.look_claim IS 'The turn that looks, or looked last.';
COMMENT ON COLUMN evaluators.failures IS 'Calls that failed since the last one that did not.';
COMMENT ON COLUMN evaluators.held_until IS 'Until then nothing is taken up, because calls failed.';
COMMENT ON COLUMN evaluators.last_error IS 'What went wrong last; empty when nothing did.';
-- What a server may take up.
CREATE INDEX evaluators_look_at_idx ON evaluators (look_at);
