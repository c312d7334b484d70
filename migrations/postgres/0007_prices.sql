CREATE TABLE prices (
    id UUID CONSTRAINT prices_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT prices_project_id_fkey REFERENCES projects (id),
    match_kind TEXT NOT NULL
        CONSTRAINT prices_match_kind_check CHECK (match_kind IN ('exact', 'pattern')),
    model TEXT NOT NULL,
    rates JSONB NOT NULL,
    valid_from TIMESTAMPTZ,
    valid_to TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE prices IS 'Prices of models that a project sets itself; they go before the table that comes with the product.';
COMMENT ON COLUMN prices.model IS 'Name of the model in any case, or a regular expression, as match_kind says.';
COMMENT ON COLUMN prices.rates IS 'US dollars per token or thing by usage name; decimals as text, so that no digit is lost.';
CREATE INDEX prices_project_id_idx ON prices (project_id);
