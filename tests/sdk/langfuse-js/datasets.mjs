// Datasets and experiments through the released SDK of the major version that is given.
//
// Configured by LANGFUSE_BASE_URL (LANGFUSE_BASEURL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

const major = Number(process.argv[2]);
const NAME = "team/capitals of the world";
const RUN = "night/1";
const CAPITALS = { France: "Paris", Japan: "Tokyo", Peru: "Lima" };
const answer = (country) => (country === "France" ? "Paris" : "Kyoto");

/** What is read, as soon as it is there and as it should be. */
async function eventually(read, isRight) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    let problem;
    try {
      const found = await read();
      if (isRight(found)) return found;
      problem = JSON.stringify(found);
    } catch (error) {
      problem = error;
    }
    assert.ok(Date.now() < deadline, String(problem));
    await pause(50);
  }
}

/** The calls that have other names in other versions. */
async function client() {
  if (major === 3) {
    const { Langfuse } = await import("langfuse-v3");
    const langfuse = new Langfuse();
    return {
      createDataset: (body) => langfuse.createDataset(body),
      createItem: (body) => langfuse.createDatasetItem(body),
      get: (name, options) => langfuse.getDataset(name, options),
      getRun: (name, run) => langfuse.getDatasetRun({ datasetName: name, runName: run }),
      getRuns: (name) => langfuse.getDatasetRuns(name),
      getTrace: (id) => langfuse.fetchTrace(id).then(({ data }) => data),
      run: (dataset) => byLinks(langfuse, dataset),
      end: () => langfuse.shutdownAsync(),
    };
  }
  const { LangfuseClient } = await import(`langfuse-v${major}`);
  const { LangfuseSpanProcessor } = await import(`langfuse-otel-v${major}`);
  const { NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const processor = new LangfuseSpanProcessor();
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  provider.register();
  const langfuse = new LangfuseClient();
  const { api } = langfuse;
  return {
    api,
    createDataset: (body) => api.datasets.create(body),
    createItem: (body) =>
      langfuse.dataset.createItem?.(body) ?? api.datasetItems.create(body),
    get: (name, options) => langfuse.dataset.get(name, options),
    getRun: (name, run) => api.datasets.getRun(name, run),
    getRuns: (name) => api.datasets.getRuns(name),
    getTrace: (id) => (api.trace ?? api.legacy?.trace).get(id),
    run: async (dataset) => {
      const result = await byExperiment(dataset);
      await processor.forceFlush();
      return result;
    },
    end: async () => {
      await langfuse.shutdown();
      await provider.shutdown();
    },
  };
}

/** Each item is linked to the trace of a run. */
async function byLinks(langfuse, dataset) {
  for (const item of dataset.items) {
    const output = answer(item.input.country);
    const trace = langfuse.trace({ name: "capitals", input: item.input, output });
    await item.link(trace, RUN, { description: "tries", metadata: { model: "none" } });
    trace.score({ name: "exact", value: Number(output === item.expectedOutput) });
  }
  await langfuse.flushAsync();
}

function byExperiment(dataset) {
  return dataset.runExperiment({
    name: "capitals",
    runName: RUN,
    description: "tries",
    metadata: { model: "none" },
    task: async (item) => answer(item.input.country),
    evaluators: [
      async ({ output, expectedOutput }) => ({
        name: "exact",
        value: Number(output === expectedOutput),
      }),
    ],
    runEvaluators: [
      async ({ itemResults }) => {
        const values = itemResults.flatMap((result) => result.evaluations.map(({ value }) => value));
        return { name: "mean", value: values.reduce((a, b) => a + b, 0) / values.length };
      },
    ],
  });
}

const langfuse = await client();

// A dataset, items in it, and what is read of them.
const made = await langfuse.createDataset({
  name: NAME,
  description: "of countries",
  metadata: { team: "a" },
});
assert.equal(made.name, NAME);
for (const [country, capital] of Object.entries(CAPITALS)) {
  const item = await langfuse.createItem({
    datasetName: NAME,
    id: country,
    input: { country },
    expectedOutput: capital,
    metadata: { level: "easy" },
  });
  assert.deepEqual([item.id, item.status], [country, "ACTIVE"]);
}
await langfuse.createItem({ datasetName: NAME, id: "Peru", status: "ARCHIVED" });
const dataset = await langfuse.get(NAME, { fetchItemsPageSize: 1 });
assert.equal(dataset.id, made.id);
assert.deepEqual(dataset.items.map(({ id }) => id), ["Japan", "France"]);
assert.equal(dataset.items[0].expectedOutput, "Tokyo");

// What a run makes of the items.
const result = await langfuse.run(dataset);
const run = await langfuse.getRun(NAME, RUN);
assert.deepEqual([run.name, run.description, run.metadata], [RUN, "tries", { model: "none" }]);
const links = new Map(run.datasetRunItems.map((link) => [link.datasetItemId, link]));
assert.deepEqual([...links.keys()].sort(), ["France", "Japan"]);
for (const [country, link] of links) {
  const isScored = ({ output, scores }) => output !== null && scores.length === 1;
  const trace = await eventually(() => langfuse.getTrace(link.traceId), isScored);
  assert.equal(trace.output, answer(country));
  assert.equal(trace.scores[0].value, Number(country === "France"));
}
assert.deepEqual((await langfuse.getRuns(NAME)).data.map(({ name }) => name), [RUN]);

if (langfuse.api?.experiments) {
  assert.equal(result.datasetRunId, run.id);
  const fromStartTime = new Date(Date.now() - 3_600_000).toISOString();
  const isWhole = ({ data: [one] }) => one?.itemCount === 2 && one.scores.length === 1;
  const read = () =>
    langfuse.api.experiments.list({ fromStartTime, datasetId: made.id, fields: "core,metadata,scores" });
  const [experiment] = (await eventually(read, isWhole)).data;
  assert.deepEqual([experiment.id, experiment.name], [run.id, RUN]);
  assert.deepEqual(experiment.metadata, { model: "none" });
  assert.deepEqual([experiment.scores[0].name, experiment.scores[0].value], ["mean", 0.5]);
  const items = await langfuse.api.experiments.listItems({
    fromStartTime,
    experimentId: run.id,
    fields: "core,dataset,io,scores",
  });
  assert.equal(items.data.length, 2);
  for (const row of items.data) {
    const country = row.experimentItemId;
    assert.deepEqual(row.input, { country });
    assert.deepEqual([row.output, row.expectedOutput], [answer(country), CAPITALS[country]]);
    assert.equal(row.scores[0].value, Number(country === "France"));
  }
}
await langfuse.end();
