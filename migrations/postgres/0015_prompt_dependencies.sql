CREATE TABLE prompt_dependencies (
    version_id UUID NOT NULL
        CONSTRAINT prompt_dependencies_version_id_fkey REFERENCES prompt_versions (id) ON DELETE CASCADE,
    project_id UUID NOT NULL
        CONSTRAINT prompt_dependencies_project_id_fkey REFERENCES projects (id),
    child_name TEXT NOT NULL,
    child_version INTEGER,
    child_label TEXT,
    CONSTRAINT prompt_dependencies_child_check
        CHECK ((child_version IS NULL) <> (child_label IS NULL))
);
COMMENT ON TABLE prompt_dependencies IS 'Which prompts the text of a version refers to, by number or by label, so that what is needed is not deleted.';
CREATE INDEX prompt_dependencies_version_id_idx ON prompt_dependencies (version_id);
CREATE INDEX prompt_dependencies_child_idx ON prompt_dependencies (project_id, child_name);
