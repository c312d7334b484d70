-- How many rows of spans a project has, each version counted: how much there is to read.
SELECT count() AS rows
FROM spans
WHERE project_id = {project_id:UUID}
