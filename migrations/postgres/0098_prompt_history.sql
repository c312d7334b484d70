-- Changes of prompts are told to channels that want to hear of them, by the same messages as incidents.
ALTER TABLE alert_channels ADD COLUMN tells_of_prompts BOOLEAN NOT NULL DEFAULT FALSE;
COMMENT ON COLUMN alert_channels.tells_of_prompts IS 'Whether changes of prompts are told there, too.';

ALTER TABLE notifications
    ALTER COLUMN incident_id DROP NOT NULL,
    DROP CONSTRAINT notifications_occasion_check,
    ADD CONSTRAINT notifications_occasion_check
        CHECK (occasion IN ('fired', 'rolled_back', 'rollback_suggested', 'resolved', 'prompt_changed')),
    ADD CONSTRAINT notifications_incident_id_check
        CHECK ((incident_id IS NULL) = (occasion = 'prompt_changed'));
COMMENT ON COLUMN notifications.incident_id IS 'What it tells of; NULL: a change of a prompt.';

-- The history of a thing, the newest first.
CREATE INDEX audit_log_project_id_object_idx ON audit_log (project_id, object, id DESC);
