CREATE TABLE scrape_targets (
    id UUID CONSTRAINT scrape_targets_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT scrape_targets_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    kind TEXT NOT NULL
        CONSTRAINT scrape_targets_kind_check CHECK (
            kind IN ('auto', 'dcgm', 'vllm', 'sglang', 'tgi', 'triton', 'prometheus')
        ),
    interval_s INTEGER NOT NULL
        CONSTRAINT scrape_targets_interval_s_check CHECK (interval_s BETWEEN 1 AND 3600),
    labels JSONB NOT NULL,
    is_enabled BOOLEAN NOT NULL,
    auth_kind TEXT
        CONSTRAINT scrape_targets_auth_kind_check CHECK (auth_kind IN ('bearer', 'basic')),
    auth_user TEXT,
    auth_secret BYTEA,
    scraped_at TIMESTAMPTZ,
    duration_ns BIGINT,
    samples BIGINT,
    recognised BIGINT,
    exporters TEXT[],
    error TEXT,
    holder UUID,
    held_until TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT scrape_targets_auth_check CHECK ((auth_kind IS NULL) = (auth_secret IS NULL)),
    -- Targets are listed by project and name, which is the label that tells them apart.
    CONSTRAINT scrape_targets_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE scrape_targets IS 'Where metrics are fetched from.';
COMMENT ON COLUMN scrape_targets.labels IS 'Labels that each series gets: an object of texts.';
COMMENT ON COLUMN scrape_targets.auth_user IS 'The user, where it is one with a password.';
COMMENT ON COLUMN scrape_targets.auth_secret IS 'Token or password, sealed with the server''s encryption key: nonce of 24 bytes, then XChaCha20-Poly1305.';
COMMENT ON COLUMN scrape_targets.scraped_at IS 'When the last scrape began; NULL before the first. It and what follows is noted every few seconds.';
COMMENT ON COLUMN scrape_targets.recognised IS 'Samples of the last scrape that say something of an axis.';
COMMENT ON COLUMN scrape_targets.holder IS 'The server that scrapes it.';
COMMENT ON COLUMN scrape_targets.held_until IS 'Until then no other server does.';
-- Servers look every few seconds for those that nobody holds any more.
CREATE INDEX scrape_targets_held_until_idx ON scrape_targets (held_until) WHERE is_enabled;
