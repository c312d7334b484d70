// Traces with observations within observations, told out of order, through the released SDK of the major
// version that is given, and read back.
//
// Configured by LANGFUSE_BASE_URL (LANGFUSE_BASEURL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.

import assert from "node:assert/strict";

const major = Number(process.argv[2]);
const ABOUT = { userId: "u", sessionId: "s", tags: ["a"] };
const CALL = { model: "none-such", input: "Hello?" };
const ANSWER = { output: "Hi.", usageDetails: { input: 3, output: 2 } };

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
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Events of batches: the end of the step is told before its beginning. */
async function byEvents() {
  const { Langfuse } = await import("langfuse-v3");
  const langfuse = new Langfuse();
  const trace = langfuse.trace({ name: "agent", ...ABOUT, input: { q: 1 }, output: "done" });
  const step = `step of ${trace.id}`;
  langfuse.updateSpanStateless({ id: step, traceId: trace.id, output: 7, endTime: new Date() });
  await langfuse.flushAsync();
  const span = trace.span({ id: step, name: "step", input: "begun" });
  span.generation({ name: "answer", ...CALL }).end(ANSWER);
  await langfuse.flushAsync();
  return {
    id: trace.id,
    address: trace.getTraceUrl(),
    // Of a trace without a project: its page finds it.
    expected: () => `${process.env.LANGFUSE_BASEURL}/trace/${trace.id}`,
    read: () => langfuse.fetchTrace(trace.id).then(({ data }) => data),
    list: () => langfuse.fetchObservations({ traceId: trace.id }),
    sessions: () => langfuse.fetchSessions(),
    end: () => langfuse.shutdownAsync(),
  };
}

/** Spans: what is inner arrives before what is around it. */
async function bySpans() {
  const { LangfuseClient } = await import(`langfuse-v${major}`);
  const { LangfuseSpanProcessor } = await import(`langfuse-otel-v${major}`);
  const { startObservation, propagateAttributes } = await import(`langfuse-tracing-v${major}`);
  const { NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const processor = new LangfuseSpanProcessor();
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  provider.register();
  const [root, step, call] = propagateAttributes({ ...ABOUT, traceName: "agent" }, () => {
    const root = startObservation("agent", { input: { q: 1 } });
    const step = root.startObservation("step", { input: "begun" });
    return [root, step, step.startObservation("answer", CALL, { asType: "generation" })];
  });
  call.update(ANSWER).end();
  await processor.forceFlush();
  step.update({ output: 7 }).end();
  await processor.forceFlush();
  root.update({ output: "done" }).end();
  await processor.forceFlush();
  const langfuse = new LangfuseClient();
  const { api } = langfuse;
  const { traceId } = root;
  const fields = major === 4 ? {} : { fields: "core,basic,io,usage" };
  const projects = await api.projects.get();
  return {
    id: traceId,
    address: await langfuse.getTraceUrl(traceId),
    expected: () =>
      `${process.env.LANGFUSE_BASE_URL}/project/${projects.data[0].id}/traces/${traceId}`,
    read: () => (api.trace ?? api.legacy?.trace).get(traceId),
    list: () => api.observations.getMany({ traceId, ...fields }),
    sessions: api.sessions && (() => api.sessions.list()),
    end: async () => {
      await langfuse.shutdown();
      await provider.shutdown();
    },
  };
}

const told = await (major === 3 ? byEvents() : bySpans());
const named = (trace, name) => trace.observations.find((one) => one.name === name);
const isWhole = (trace) =>
  trace.observations.length >= (major === 3 ? 2 : 3) &&
  named(trace, "step")?.output === 7 &&
  named(trace, "answer")?.output === "Hi." &&
  trace.output === "done";
const trace = await eventually(told.read, isWhole);
assert.deepEqual([trace.name, trace.userId, trace.sessionId], ["agent", "u", "s"]);
assert.deepEqual([trace.tags, trace.input], [["a"], { q: 1 }]);
const [step, call] = [named(trace, "step"), named(trace, "answer")];
assert.deepEqual([step.type, step.input], ["SPAN", "begun"]);
assert.ok(step.endTime && call.endTime, JSON.stringify(trace));
assert.deepEqual([call.type, call.model, call.input], ["GENERATION", "none-such", "Hello?"]);
assert.equal(call.parentObservationId, step.id);
assert.deepEqual(call.usageDetails, { input: 3, output: 2, total: 5 });
if (major > 3) assert.equal(step.parentObservationId, named(trace, "agent").id);

const listed = (await told.list()).data;
assert.equal(listed.length, trace.observations.length);
assert.ok(listed.some(({ id, name }) => id === call.id && name === "answer"));
if (told.sessions) assert.deepEqual((await told.sessions()).data.map(({ id }) => id), ["s"]);
assert.equal(told.address, told.expected());
await told.end();
