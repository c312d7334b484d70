//! The readable page: plain HTML without scripts, with one small style sheet.

use std::fmt::Write;

use serde_json::Value;

/// What stands before the routes.
const EXAMPLES: &str = "<h2>Examples</h2><pre>\
curl -u \"$PUBLIC_KEY:$SECRET_KEY\" 'http://127.0.0.1:3000/api/v1/traces?limit=5&amp;has_error=true'\n\
curl -H \"Authorization: Bearer $SECRET_KEY\" http://127.0.0.1:3000/api/v1/traces/$TRACE_ID\n\
curl -u \"$PUBLIC_KEY:$SECRET_KEY\" 'http://127.0.0.1:3000/api/v1/spans?model=gpt-5-mini&amp;fields=input,output'</pre>\
<h2>Limits</h2><dl>\
<dt>Rows of a page</dt><dd>1 to 1,000, 50 unless told; go on with <code>cursor</code>.</dd>\
<dt>Unknown parameters</dt><dd>400 with the name, so that a typing mistake is not taken for a filter.</dd>\
<dt>Bodies sent to /v1/traces</dt><dd>64 MiB after decompression unless the operator set another; then 413.</dd>\
<dt>Too busy</dt><dd>429 or 503 with <code>Retry-After</code>.</dd>\
<dt>Faults</dt><dd><code>application/problem+json</code> with <code>detail</code>, and <code>errors</code> \
that name the parameter.</dd></dl>";

/// Renders the document.
pub(super) fn render(document: &Value) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>API · Triaxis</title><link rel=\"stylesheet\" href=\"/docs/api.css\"></head><body><main><h1>API</h1>",
    );
    let info = document["info"]["description"].as_str().unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<p>{}</p><p>Machine-readable: <a href=\"/api/openapi.json\">/api/openapi.json</a>. \
         Keys go into <code>Authorization: Basic base64(public_key:secret_key)</code> or \
         <code>Bearer secret_key</code>.</p>{}",
        escape(info),
        EXAMPLES
    );
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            render_operation(&mut html, document, (path, method), operation);
        }
    }
    html.push_str("<h2>Shapes</h2>");
    for (name, schema) in document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let _ = write!(
            html,
            "<details id=\"{0}\"><summary><code>{0}</code></summary><pre>{1}</pre></details>",
            escape(name),
            escape(&text)
        );
    }
    html.push_str("</main></body></html>");
    html
}

fn render_operation(html: &mut String, document: &Value, at: (&str, &str), operation: &Value) {
    let (path, method) = at;
    let what = operation["summary"].as_str().unwrap_or_default();
    let _ = write!(
        html,
        "<h2 id=\"{}\"><code>{} {}</code></h2><p>{}</p>",
        escape(operation["operationId"].as_str().unwrap_or_default()),
        method.to_uppercase(),
        escape(path),
        escape(what)
    );
    let parameters = operation["parameters"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if parameters.is_empty() {
        return;
    }
    html.push_str("<dl>");
    for parameter in parameters {
        let reference = parameter["$ref"].as_str().unwrap_or_default();
        let Some(parameter) = document.pointer(reference.trim_start_matches('#')) else {
            continue;
        };
        let _ = write!(
            html,
            "<dt><code>{}</code></dt><dd>{}</dd>",
            escape(parameter["name"].as_str().unwrap_or_default()),
            escape(parameter["description"].as_str().unwrap_or_default())
        );
    }
    html.push_str("</dl>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_stands_on_the_page_and_no_script() {
        let html = render(&super::super::document());
        for route in crate::routes::all() {
            assert!(html.contains(route.path), "{}", route.path);
        }
        assert!(!html.contains("<script") && !html.contains("style=") && !html.contains("<style"));
    }
}
