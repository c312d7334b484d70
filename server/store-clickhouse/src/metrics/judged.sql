-- The spans that scores judge.
judged AS
(
    SELECT
        trace_id,
        span_id,
        name,
        if(response_model != '', toString(response_model), toString(request_model)) AS model,
        prompt_name,
        prompt_version
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND (trace_id, span_id) IN (SELECT trace_id, observation_id FROM seen WHERE observation_id != '')
    ORDER BY version DESC
    LIMIT 1 BY
        trace_id,
        span_id
)
