-- Those of some ids that are ids of experiments.
SELECT DISTINCT experiment_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND experiment_id IN {ids:Array(String)}
