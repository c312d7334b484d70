"""Sends one of each kind of metric through the stock exporter that the environment names.

Configured by the standard OTEL_EXPORTER_OTLP_* variables alone.
"""

import os

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource

if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
else:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

reader = PeriodicExportingMetricReader(OTLPMetricExporter(), export_interval_millis=3_600_000)
view = View(instrument_name="spread", aggregation=ExponentialBucketHistogramAggregation())
provider = MeterProvider(
    metric_readers=[reader],
    views=[view],
    resource=Resource.create({"service.name": "python-sdk"}),
)
meter = provider.get_meter("sdk-test")
meter.create_gauge("hw.temperature", unit="Cel").set(54, {"hw.id": "GPU-1", "hw.type": "gpu"})
meter.create_counter("vllm.generation_tokens").add(57)
meter.create_up_down_counter("sessions").add(-2)
first_token = meter.create_histogram(
    "gen_ai.server.time_to_first_token", unit="s", explicit_bucket_boundaries_advisory=[0.1, 0.5, 1.0]
)
spread = meter.create_histogram("spread")
for seconds in (0.05, 0.2, 0.3, 0.7):
    first_token.record(seconds)
    spread.record(seconds)
provider.shutdown()
