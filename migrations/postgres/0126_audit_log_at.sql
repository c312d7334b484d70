-- What was done to prompts within a stretch of time, beside what happened to requests then.
CREATE INDEX audit_log_project_id_at_idx ON audit_log (project_id, at DESC);
