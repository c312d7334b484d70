-- Spans outside of the sample whose contents are to be kept all the same: of traces with an error, or a low score.
SELECT count()
FROM spans
WHERE project_id = {project_id:UUID}
    AND keep_rule = 'sampled'
    AND (
        {keep_errors:Bool} AND trace_id IN (
            SELECT trace_id
            FROM spans
            WHERE project_id = {project_id:UUID}
                AND (status = 'error' OR level = 'ERROR')
        )
        OR trace_id IN (
            SELECT trace_id
            FROM scores
            WHERE project_id = {project_id:UUID}
                AND {score_name:String} != ''
                AND name = {score_name:String}
                AND data_type IN ('NUMERIC', 'BOOLEAN')
                AND value < {score_below:Float64}
        )
    )
