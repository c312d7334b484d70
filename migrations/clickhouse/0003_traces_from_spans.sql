-- Feeds `traces` with every insert into `spans`.
CREATE MATERIALIZED VIEW IF NOT EXISTS traces_from_spans TO traces AS
SELECT
    project_id,
    trace_id,
    min(start_time) AS first_start,
    max(start_time) AS last_start
FROM spans
GROUP BY
    project_id,
    trace_id
