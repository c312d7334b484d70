//! How to send the first trace, with the project's real address and key filled in.

use crate::content::json::Token;

/// A way to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The OpenTelemetry SDK for Python.
    Python,
    /// The OpenTelemetry SDK for Node.
    Node,
    /// The OpenTelemetry Collector.
    Collector,
    /// One request by hand.
    Curl,
}

impl Way {
    /// Every way.
    pub(crate) const ALL: [Way; 4] = [Way::Python, Way::Node, Way::Collector, Way::Curl];

    /// Its name in addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Python => "python",
            Way::Node => "node",
            Way::Collector => "collector",
            Way::Curl => "curl",
        }
    }

    /// Its name on the page: a product's name, the same in every language.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Way::Python => "Python",
            Way::Node => "Node",
            Way::Collector => "OpenTelemetry Collector",
            Way::Curl => "curl",
        }
    }

    /// The way of a name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Way::ALL.into_iter().find(|way| way.name() == name)
    }
}

/// Stands for a secret that is not known any more.
pub(crate) const SECRET_UNKNOWN: &str = "YOUR_SECRET_KEY";

/// Lines to copy and run. Comments and values are marked for the style sheet.
pub(crate) fn snippet(way: Way, public_url: &str, secret: Option<&str>) -> Vec<Token> {
    let secret = secret.unwrap_or(SECRET_UNKNOWN);
    let mut code = Code::default();
    match way {
        Way::Python => python(&mut code, public_url, secret),
        Way::Node => node(&mut code, public_url, secret),
        Way::Collector => collector(&mut code, public_url, secret),
        Way::Curl => curl(&mut code, public_url, secret),
    }
    code.tokens
}

/// Lines for Prometheus: where to send what it scrapes, and what to scrape of engines and GPUs.
pub(crate) fn scraping(
    public_url: &str,
    (public_key, secret): (&str, &str),
    (engines, gpus): (bool, bool),
) -> Vec<Token> {
    let mut code = Code::default();
    code.comment("# prometheus.yml\n");
    code.key("remote_write")
        .plain(":\n  - ")
        .key("url")
        .plain(": ");
    code.value(&format!("{public_url}/api/v1/metrics/write"));
    code.plain("\n    ").key("basic_auth").plain(":\n      ");
    code.key("username").plain(": ").value(public_key);
    code.plain("\n      ")
        .key("password")
        .plain(": ")
        .value(secret);
    code.plain("\n").key("scrape_configs").plain(":");
    let targets = [
        (engines, "vllm", "VLLM_HOST:8000"),
        (gpus, "dcgm", "GPU_HOST:9400"),
    ];
    for (_, job, target) in targets.into_iter().filter(|(is_wanted, ..)| *is_wanted) {
        code.plain("\n  - ").key("job_name").plain(": ").value(job);
        code.plain("\n    ")
            .key("scrape_interval")
            .plain(": ")
            .value("15s");
        code.plain("\n    ")
            .key("static_configs")
            .plain(":\n      - ");
        code.key("targets").plain(": [");
        code.value(&format!("\"{target}\"")).plain("]");
    }
    code.tokens
}

fn python(code: &mut Code, public_url: &str, secret: &str) {
    code.comment("# pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http\n");
    environment(code, public_url, secret);
    code.key("python3").plain(" - <<'END'\n");
    for (module, name) in [
        ("opentelemetry.sdk.trace", "TracerProvider"),
        ("opentelemetry.sdk.trace.export", "SimpleSpanProcessor"),
        (
            "opentelemetry.exporter.otlp.proto.http.trace_exporter",
            "OTLPSpanExporter",
        ),
    ] {
        code.key("from").plain(&format!(" {module} "));
        code.key("import").plain(&format!(" {name}\n"));
    }
    code.plain("\nprovider = TracerProvider()\n");
    code.plain("provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))\n");
    code.key("with")
        .plain(" provider.get_tracer(")
        .value("\"hello\"");
    code.plain(").start_as_current_span(").value("\"chat\"");
    code.plain(") ").key("as").plain(" span:\n");
    code.plain("    span.set_attribute(")
        .value("\"gen_ai.request.model\"");
    code.plain(", ").value("\"qwen3-32b\"").plain(")\n");
    code.plain("    span.set_attribute(")
        .value("\"gen_ai.usage.input_tokens\"");
    code.plain(", ").value("12").plain(")\nEND");
}

fn node(code: &mut Code, public_url: &str, secret: &str) {
    code.comment("# npm install @opentelemetry/api @opentelemetry/sdk-node\n");
    environment(code, public_url, secret);
    code.key("node").plain(" --input-type=module - <<'END'\n");
    for (name, module) in [
        ("trace", "@opentelemetry/api"),
        ("NodeSDK", "@opentelemetry/sdk-node"),
    ] {
        code.key("import").plain(&format!(" {{ {name} }} "));
        code.key("from").plain(" ").value(&format!("\"{module}\""));
        code.plain(";\n");
    }
    code.plain("\nconst sdk = new NodeSDK({ serviceName: ")
        .value("\"hello\"")
        .plain(" });\nsdk.start();\n");
    code.plain("const span = trace.getTracer(")
        .value("\"hello\"")
        .plain(").startSpan(")
        .value("\"chat\"")
        .plain(");\n");
    for (key, value) in [
        ("\"gen_ai.request.model\"", "\"qwen3-32b\""),
        ("\"gen_ai.usage.input_tokens\"", "12"),
    ] {
        code.plain("span.setAttribute(")
            .value(key)
            .plain(", ")
            .value(value)
            .plain(");\n");
    }
    code.plain("span.end();\n")
        .key("await")
        .plain(" sdk.shutdown();\nEND");
}

fn collector(code: &mut Code, public_url: &str, secret: &str) {
    code.key("receivers")
        .plain(":\n  ")
        .key("otlp")
        .plain(":\n    ")
        .key("protocols")
        .plain(":\n      ")
        .key("http")
        .plain(":\n        ")
        .key("endpoint")
        .plain(": ")
        .value("127.0.0.1:14318")
        .plain("\n");
    code.key("exporters")
        .plain(":\n  ")
        .key("otlphttp/triaxis")
        .plain(":\n    ");
    code.key("endpoint").plain(": ").value(public_url);
    code.plain("\n    ")
        .key("headers")
        .plain(":\n      ")
        .key("Authorization")
        .plain(": ");
    code.value(&format!("\"Bearer {secret}\"")).plain("\n");
    code.key("service")
        .plain(":\n  ")
        .key("pipelines")
        .plain(":\n    ")
        .key("traces")
        .plain(":");
    for (key, value) in [("receivers", "otlp"), ("exporters", "otlphttp/triaxis")] {
        code.plain("\n      ")
            .key(key)
            .plain(": [")
            .value(value)
            .plain("]");
    }
}

fn curl(code: &mut Code, public_url: &str, secret: &str) {
    code.key("curl")
        .plain(" ")
        .value(&format!("{public_url}/v1/traces"))
        .plain(" \\\n  -H ");
    code.value(&format!("'authorization: Bearer {secret}'"))
        .plain(" \\\n  -H ");
    code.value("'content-type: application/json'")
        .plain(" \\\n  -d '");
    code.plain("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\n    \"traceId\":\"'");
    code.value("$(openssl rand -hex 16)")
        .plain("'\",\"spanId\":\"'");
    code.value("$(openssl rand -hex 8)")
        .plain("'\",\n    \"name\":\"chat\",\"startTimeUnixNano\":\"'");
    code.value("$(date +%s)")
        .plain("000000000'\",\"endTimeUnixNano\":\"'");
    code.value("$(date +%s)")
        .plain("250000000'\",\n    \"attributes\":[{\"key\":\"gen_ai.request.model\",");
    code.plain("\"value\":{\"stringValue\":\"qwen3-32b\"}}]}]}]}]}'");
}

fn environment(code: &mut Code, public_url: &str, secret: &str) {
    code.key("export")
        .plain(" OTEL_EXPORTER_OTLP_ENDPOINT=")
        .value(public_url)
        .plain("\n");
    code.key("export")
        .plain(" OTEL_EXPORTER_OTLP_PROTOCOL=")
        .value("http/protobuf")
        .plain("\n");
    code.key("export").plain(" OTEL_EXPORTER_OTLP_HEADERS=");
    // Values of headers are percent-encoded in this variable.
    code.value(&format!("\"authorization=Bearer%20{secret}\""))
        .plain("\n\n");
}

#[derive(Default)]
struct Code {
    tokens: Vec<Token>,
}

impl Code {
    fn push(&mut self, class: &'static str, text: &str) -> &mut Self {
        self.tokens.push(Token {
            class,
            text: text.to_owned(),
        });
        self
    }

    fn plain(&mut self, text: &str) -> &mut Self {
        self.push("", text)
    }

    fn key(&mut self, text: &str) -> &mut Self {
        self.push("k", text)
    }

    fn value(&mut self, text: &str) -> &mut Self {
        self.push("n", text)
    }

    fn comment(&mut self, text: &str) -> &mut Self {
        self.push("c", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_holds_the_address_and_the_key_and_needs_no_file() {
        for way in Way::ALL {
            let tokens = snippet(way, "http://t.example:3000", Some("sk-1"));
            let text: String = tokens.into_iter().map(|token| token.text).collect();
            assert!(text.contains("http://t.example:3000"), "{text}");
            assert!(text.contains("sk-1"), "{text}");
            assert!(!text.contains("app.js"), "{text}");
        }
        let prometheus = scraping("u", ("pk-1", "sk-1"), (false, true));
        let prometheus: String = prometheus.into_iter().map(|token| token.text).collect();
        assert!(
            prometheus.contains("u/api/v1/metrics/write"),
            "{prometheus}"
        );
        assert!(prometheus.contains("GPU_HOST:9400") && !prometheus.contains("vllm"));
        let collector: String = snippet(Way::Collector, "u", None)
            .into_iter()
            .map(|token| token.text)
            .collect();
        assert!(collector.contains("receivers: [otlp]"), "{collector}");
        assert!(
            collector.contains("traces:\n      receivers"),
            "{collector}"
        );
    }
}
