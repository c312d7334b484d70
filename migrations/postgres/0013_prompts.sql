CREATE TABLE prompts (
    id UUID CONSTRAINT prompts_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT prompts_project_id_fkey REFERENCES projects (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT prompts_kind_check CHECK (kind IN ('text', 'chat')),
    tags TEXT[] NOT NULL,
    last_version INTEGER NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT prompts_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE prompts IS 'Names of prompts, with what all versions of a name share.';
COMMENT ON COLUMN prompts.last_version IS 'Highest number ever given, so that the number of a deleted version is not given again. The row stays without versions until the name itself is deleted.';

CREATE TABLE prompt_versions (
    id UUID CONSTRAINT prompt_versions_pkey PRIMARY KEY,
    prompt_id UUID NOT NULL
        CONSTRAINT prompt_versions_prompt_id_fkey REFERENCES prompts (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CONSTRAINT prompt_versions_version_check CHECK (version > 0),
    content JSON NOT NULL,
    config JSON NOT NULL,
    commit_message TEXT,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT prompt_versions_prompt_id_version_key UNIQUE (prompt_id, version)
);
COMMENT ON TABLE prompt_versions IS 'What a prompt says, in numbered versions that never change.';
COMMENT ON COLUMN prompt_versions.content IS 'A text, or a list of {role, content} and {placeholder}. JSON, not JSONB: whoever compares two versions wants them as they were written.';
COMMENT ON COLUMN prompt_versions.created_by IS 'Id of a person, or API.';
COMMENT ON COLUMN prompt_versions.updated_at IS 'When a label came or went last.';
