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
const SECRET_UNKNOWN: &str = "YOUR_SECRET_KEY";

/// Lines to copy and run. Comments and values are marked for the style sheet.
pub(crate) fn snippet(way: Way, public_url: &str, secret: Option<&str>) -> Vec<Token> {
    let secret = secret.unwrap_or(SECRET_UNKNOWN);
    let mut code = Code::default();
    match way {
        Way::Python => {
            code.comment("# pip install opentelemetry-distro opentelemetry-exporter-otlp\n");
            environment(&mut code, public_url, secret);
            code.key("python").plain(" - <<'END'\n");
            code.key("from")
                .plain(" opentelemetry ")
                .key("import")
                .plain(" trace\n");
            code.key("from")
                .plain(" opentelemetry.sdk.trace ")
                .key("import")
                .plain(" TracerProvider\n");
            code.key("from")
                .plain(" opentelemetry.sdk.trace.export ")
                .key("import")
                .plain(" SimpleSpanProcessor\n");
            code.key("from")
                .plain(" opentelemetry.exporter.otlp.proto.http.trace_exporter ");
            code.key("import").plain(" OTLPSpanExporter\n\n");
            code.plain("provider = TracerProvider()\n");
            code.plain("provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))\n");
            code.key("with")
                .plain(" provider.get_tracer(")
                .value("\"hello\"");
            code.plain(").start_as_current_span(")
                .value("\"chat\"")
                .plain(") ")
                .key("as")
                .plain(" span:\n");
            code.plain("    span.set_attribute(")
                .value("\"gen_ai.request.model\"")
                .plain(", ");
            code.value("\"qwen3-32b\"").plain(")\n");
            code.plain("    span.set_attribute(")
                .value("\"gen_ai.usage.input_tokens\"")
                .plain(", ");
            code.value("12").plain(")\nEND");
        }
        Way::Node => {
            code.comment(
                "# npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node\n",
            );
            environment(&mut code, public_url, secret);
            code.key("node")
                .plain(" --require @opentelemetry/auto-instrumentations-node/register ");
            code.value("app.js");
        }
        Way::Collector => {
            code.key("exporters")
                .plain(":\n  ")
                .key("otlphttp/triaxis")
                .plain(":\n    ");
            code.key("endpoint")
                .plain(": ")
                .value(public_url)
                .plain("\n    ")
                .key("headers")
                .plain(":\n      ");
            code.key("authorization")
                .plain(": ")
                .value(&format!("\"Bearer {secret}\""))
                .plain("\n");
            code.key("service")
                .plain(":\n  ")
                .key("pipelines")
                .plain(":\n    ")
                .key("traces")
                .plain(":\n      ");
            code.key("exporters")
                .plain(": [")
                .value("otlphttp/triaxis")
                .plain("]");
        }
        Way::Curl => {
            code.key("curl")
                .plain(" ")
                .value(&format!("{public_url}/v1/traces"));
            code.plain(" \\\n  -H ")
                .value(&format!("'authorization: Bearer {secret}'"));
            code.plain(" \\\n  -H ")
                .value("'content-type: application/json'");
            code.plain(" \\\n  -d '{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\n");
            code.plain("    \"traceId\":\"'$(openssl rand -hex 16)'\",\"spanId\":\"'$(openssl rand -hex 8)'\",\n");
            code.plain("    \"name\":\"chat\",\"startTimeUnixNano\":\"'$(date +%s)000000000'\",\n");
            code.plain("    \"endTimeUnixNano\":\"'$(date +%s)250000000'\",\"attributes\":[\n");
            code.plain("      {\"key\":\"gen_ai.request.model\",\"value\":{\"stringValue\":\"qwen3-32b\"}}]}]}]}]}'");
        }
    }
    code.tokens
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
