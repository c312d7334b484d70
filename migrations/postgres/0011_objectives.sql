CREATE TABLE objectives (
    id UUID CONSTRAINT objectives_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT objectives_project_id_fkey REFERENCES projects (id),
    model TEXT NOT NULL,
    ttft_ms DOUBLE PRECISION,
    tpot_ms DOUBLE PRECISION,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT objectives_times_check CHECK (ttft_ms IS NOT NULL OR tpot_ms IS NOT NULL)
);
COMMENT ON TABLE objectives IS 'How soon answers of models should come.';
COMMENT ON COLUMN objectives.model IS 'Name in any case; * stands for any run of characters.';
COMMENT ON COLUMN objectives.ttft_ms IS 'Longest time to first token; NULL: not asked for.';
COMMENT ON COLUMN objectives.tpot_ms IS 'Longest time per output token after the first; NULL: not asked for.';
CREATE INDEX objectives_project_id_idx ON objectives (project_id);
