ALTER TABLE prices ADD COLUMN listing JSONB;
COMMENT ON COLUMN prices.listing IS 'How the price is listed as a model, and its prices for some calls only; NULL: it was set as a price alone.';
-- A project lists one model of a name, also where two are made at once.
CREATE UNIQUE INDEX prices_listed_name_key ON prices (project_id, (listing ->> 'name')) WHERE listing IS NOT NULL;
