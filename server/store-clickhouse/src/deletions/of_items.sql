-- The traces of experiments over some items of datasets.
SELECT DISTINCT trace_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND experiment_id > ''
    AND attributes['langfuse.experiment.item.id'] IN {ids:Array(String)}
LIMIT {limit:UInt32}
