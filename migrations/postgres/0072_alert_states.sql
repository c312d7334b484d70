CREATE TABLE alert_states (
    -- A rule has one row; those of a project are read together by the rules' own index.
    rule_id UUID CONSTRAINT alert_states_pkey PRIMARY KEY
        CONSTRAINT alert_states_rule_id_fkey REFERENCES alert_rules (id) ON DELETE CASCADE,
    groups JSONB NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE alert_states IS 'Where the groups of rules stand: JSON [[group, state]].';
