-- A dashboard that anybody may see who has its link. The link stands as it is, not as a hash, because whoever may
-- change the dashboard is shown it again; a link that was taken back and given anew is another one.
ALTER TABLE dashboards ADD COLUMN link TEXT CHECK (length(link) BETWEEN 20 AND 64);

-- A guest's request has the link alone. Few dashboards have one.
CREATE UNIQUE INDEX dashboards_by_link ON dashboards (link) WHERE link IS NOT NULL;
