// Sends one trace of two spans through the stock exporter named by OTEL_EXPORTER_OTLP_PROTOCOL,
// configured by the standard variables alone. Prints the trace id.
import { NodeTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-node";

const exporters = {
  grpc: "@opentelemetry/exporter-trace-otlp-grpc",
  "http/json": "@opentelemetry/exporter-trace-otlp-http",
  "http/protobuf": "@opentelemetry/exporter-trace-otlp-proto",
};
const { OTLPTraceExporter } = await import(exporters[process.env.OTEL_EXPORTER_OTLP_PROTOCOL]);

const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
const tracer = provider.getTracer("sdk-test");

tracer.startActiveSpan("js.turn", (turn) => {
  turn.setAttribute("input.value", "Is wifi included?");
  tracer.startActiveSpan("answer", (answer) => {
    answer.setAttribute("gen_ai.operation.name", "chat");
    answer.end();
  });
  turn.end();
  console.log(turn.spanContext().traceId);
});

await provider.shutdown();
