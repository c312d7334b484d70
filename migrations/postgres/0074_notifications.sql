CREATE TABLE notifications (
    id UUID CONSTRAINT notifications_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT notifications_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    incident_id UUID NOT NULL
        CONSTRAINT notifications_incident_id_fkey REFERENCES incidents (id) ON DELETE CASCADE,
    channel_id UUID NOT NULL
        CONSTRAINT notifications_channel_id_fkey REFERENCES alert_channels (id) ON DELETE CASCADE,
    occasion TEXT NOT NULL
        CONSTRAINT notifications_occasion_check CHECK (occasion IN ('fired', 'resolved')),
    body TEXT NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT notifications_state_check CHECK (state IN ('waiting', 'sent', 'failed')),
    tries INTEGER NOT NULL,
    next_at TIMESTAMPTZ NOT NULL,
    last_status INTEGER,
    last_error TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    -- One message an occasion and channel, however often it is asked for.
    CONSTRAINT notifications_incident_id_channel_id_occasion_key
        UNIQUE (incident_id, channel_id, occasion)
);
COMMENT ON TABLE notifications IS 'Messages about incidents, written together with what they tell of.';
COMMENT ON COLUMN notifications.id IS 'Goes with each try, so that the other side knows a repetition.';
COMMENT ON COLUMN notifications.body IS 'What is sent, the same in each try.';
COMMENT ON COLUMN notifications.last_status IS 'Status of the last answer; NULL: there was none.';
-- Servers look every second for what is due.
CREATE INDEX notifications_due_idx ON notifications (next_at) WHERE state = 'waiting';
