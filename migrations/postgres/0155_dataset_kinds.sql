-- What a dataset is for. Programs that know nothing of kinds make plain ones.
ALTER TABLE datasets
    ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain'
        CONSTRAINT datasets_kind_check CHECK (kind IN ('plain', 'golden', 'rolling', 'adversarial'));
COMMENT ON COLUMN datasets.kind IS 'golden: checked by hand; rolling: filled from a filter, the oldest items leave; adversarial: inputs that are meant to break.';

ALTER TABLE dataset_item_versions
    ADD COLUMN challenge TEXT
        CONSTRAINT dataset_item_versions_challenge_check CHECK (challenge IN (
            'prompt_injection', 'jailbreak', 'data_leak', 'harmful_content', 'malformed_input',
            'failed_check', 'refusal', 'low_score', 'other'
        )),
    ADD COLUMN changed_by TEXT,
    ADD COLUMN reason TEXT;
COMMENT ON COLUMN dataset_item_versions.challenge IS 'What the input is meant to break, or what was seen to go wrong with it; NULL: nothing is said.';
COMMENT ON COLUMN dataset_item_versions.changed_by IS 'Id of the person who wrote this version, API, or server; NULL: it was not noted.';
COMMENT ON COLUMN dataset_item_versions.reason IS 'Why it was written, in words; NULL: nothing is said.';
