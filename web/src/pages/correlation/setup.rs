//! What is missing on the page, and the lines that send it.

use crate::content::json::Token;
use crate::i18n::Lang;
use crate::pages::snippet::{SECRET_UNKNOWN, scraping};

/// What is missing.
pub(crate) struct Setup {
    pub(crate) title: &'static str,
    pub(crate) words: &'static str,
    /// Lines for Prometheus.
    pub(crate) code: Vec<Token>,
}

/// What to say of a fleet that has instances or not, GPUs or not; nothing where both are there. `placed` of so many
/// requests have an instance.
pub(super) fn setup(
    (has_instances, has_gpus): (bool, bool),
    (requests, placed): (usize, usize),
    (url, public_key): (&str, &str),
    lang: Lang,
) -> Option<Setup> {
    let (title, words) = match (has_instances, has_gpus) {
        (true, true) if requests > 0 && placed == 0 => (
            lang.t("No request is joined with its instance"),
            lang.t("No rule finds who served these requests. Send server.address, or service.instance.id on the engine’s spans; PUT /api/v1/topology sets rules of your own."),
        ),
        (true, true) => return None,
        (false, false) => (
            lang.t("No series of GPUs and engines yet"),
            lang.t("Latency and quality come with your traces. Exporters tell the rest: let Prometheus send on what it scrapes."),
        ),
        (true, false) => (
            lang.t("No series of GPUs yet"),
            lang.t("Engines are here, their GPUs are not: run dcgm-exporter, nvidia_gpu_exporter or AMD’s exporter."),
        ),
        (false, true) => (
            lang.t("No series of engines yet"),
            lang.t("GPUs are here, who runs on them is not: scrape /metrics of vLLM, SGLang, TGI, Triton, TensorRT-LLM or NIM."),
        ),
    };
    let key = if public_key.is_empty() {
        "YOUR_PUBLIC_KEY"
    } else {
        public_key
    };
    let code = match (has_instances, has_gpus) {
        (true, true) => Vec::new(),
        _ => scraping(url, (key, SECRET_UNKNOWN), (!has_instances, !has_gpus)),
    };
    Some(Setup { title, words, code })
}
