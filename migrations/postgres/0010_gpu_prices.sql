CREATE TABLE gpu_prices (
    id UUID CONSTRAINT gpu_prices_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT gpu_prices_project_id_fkey REFERENCES projects (id),
    model TEXT NOT NULL,
    provider TEXT,
    instance TEXT,
    usd_per_gpu_hour TEXT NOT NULL,
    gpus INTEGER NOT NULL CONSTRAINT gpu_prices_gpus_check CHECK (gpus > 0),
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE gpu_prices IS 'What GPUs of one''s own cost, by what they serve.';
COMMENT ON COLUMN gpu_prices.model IS 'Name in any case; * stands for any run of characters. So provider and instance; NULL: any.';
COMMENT ON COLUMN gpu_prices.usd_per_gpu_hour IS 'A decimal as text, so that no digit is lost.';
COMMENT ON COLUMN gpu_prices.gpus IS 'GPUs that work together.';
CREATE INDEX gpu_prices_project_id_idx ON gpu_prices (project_id);
