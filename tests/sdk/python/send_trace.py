"""Sends one trace of three spans through the stock exporter that the environment names.

Configured by the standard OTEL_EXPORTER_OTLP_* variables alone. Prints the trace id.
"""

import os

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
else:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

provider = TracerProvider(resource=Resource.create({"service.name": "python-sdk"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("sdk-test")

with tracer.start_as_current_span("python.turn") as turn:
    turn.set_attribute("input.value", "Can my daughter fly alone?")
    turn.set_attribute("output.value", "Yes, from the age of five.")
    with tracer.start_as_current_span("answer") as answer:
        answer.set_attribute("gen_ai.operation.name", "chat")
        answer.set_attribute("gen_ai.request.model", "gpt-5-mini")
        answer.set_attribute("gen_ai.usage.input_tokens", 412)
        answer.set_attribute("gen_ai.usage.output_tokens", 57)
        with tracer.start_as_current_span("lookup") as lookup:
            lookup.record_exception(ValueError("no such booking"))
            lookup.set_status(trace.StatusCode.ERROR, "no such booking")

provider.shutdown()
print(format(turn.get_span_context().trace_id, "032x"))
