// Attachments in spans, sent, referred to and resolved through the released SDK of the major version that
// is given; then annotation queues and comments through its client of the whole interface.
//
// Configured by LANGFUSE_BASE_URL (LANGFUSE_BASEURL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const major = Number(process.argv[2]);
const { LangfuseClient } = await import(`langfuse-v${major}`);
const { LangfuseSpanProcessor } = await import(`langfuse-otel-v${major}`);
const { startObservation } = await import(`langfuse-tracing-v${major}`);

const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP438DwHwAGgAJ/EEwb4QAAAABJRU5ErkJggg==";
const URI = `data:image/png;base64,${PICTURE}`;

/** What is read, as soon as it is there and as it should be. */
async function eventually(read, isRight = () => true) {
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

const processor = new LangfuseSpanProcessor();
const provider = new NodeTracerProvider({ spanProcessors: [processor] });
provider.register();
const span = startObservation("look", { input: { picture: URI, question: "What is it?" } });
span.update({ output: "A dot." });
span.end();
await processor.forceFlush();
const { traceId } = span;

const langfuse = new LangfuseClient();
const { api } = langfuse;
const page = await eventually(
  () =>
    major === 4
      ? api.observations.getMany({ traceId })
      : api.observations.getMany({ traceId, fields: "core,basic,io" }),
  (found) => found.data.length === 1,
);
let { input } = page.data[0];
if (typeof input === "string") input = JSON.parse(input);
assert.match(input.picture, /^@@@langfuseMedia:type=image\/png\|id=/);
const id = /id=([^|]+)/.exec(input.picture)[1];
const media = await eventually(() => api.media.get(id));
assert.equal(media.contentLength, Buffer.from(PICTURE, "base64").length);
const resolved = await langfuse.media.resolveReferences({ obj: input, resolveWith: "base64DataUri" });
assert.deepEqual(resolved, { picture: URI, question: "What is it?" });

// Annotation queues and comments.
const config = await api.scoreConfigs.create({ name: "ok", dataType: "BOOLEAN" });
const queue = await api.annotationQueues.createQueue({ name: "daily", scoreConfigIds: [config.id] });
assert.deepEqual((await api.annotationQueues.getQueue(queue.id)).scoreConfigIds, [config.id]);
const item = await api.annotationQueues.createQueueItem(queue.id, {
  objectId: traceId,
  objectType: "TRACE",
});
const done = await api.annotationQueues.updateQueueItem(queue.id, item.id, { status: "COMPLETED" });
assert.ok(done.completedAt);
const listed = await api.annotationQueues.listQueueItems(queue.id, { status: "COMPLETED" });
assert.deepEqual(listed.data.map((one) => one.id), [item.id]);
assert.equal((await api.annotationQueues.deleteQueueItem(queue.id, item.id)).success, true);
const comment = await api.comments.create({
  projectId: "any",
  objectType: "TRACE",
  objectId: traceId,
  content: "why so slow?",
});
assert.equal((await api.comments.getById(comment.id)).content, "why so slow?");
const found = await api.comments.get({ objectType: "TRACE", objectId: traceId });
assert.equal(found.data.length, 1);

await processor.shutdown();
await langfuse.shutdown();
