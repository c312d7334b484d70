-- The spans that scores judge, in the hours in which their traces lie.
judged AS
(
    SELECT
        trace_id,
        span_id,
        name,
        if(response_model != '', toString(response_model), toString(request_model)) AS model,
        prompt_name,
        prompt_version,
        experiment_id,
        attributes['langfuse.experiment.name'] AS experiment_name
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN
            (
                SELECT toUInt32(intDiv(toUnixTimestamp(min(first_start)), 3600))
                FROM traces
                WHERE project_id = {project_id:UUID}
                    AND trace_id IN (SELECT trace_id FROM seen)
            )
            AND
            (
                SELECT toUInt32(intDiv(toUnixTimestamp(max(last_start)), 3600))
                FROM traces
                WHERE project_id = {project_id:UUID}
                    AND trace_id IN (SELECT trace_id FROM seen)
            )
        AND (trace_id, span_id) IN (SELECT trace_id, observation_id FROM seen WHERE observation_id != '')
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY
        trace_id,
        span_id
)
