//! Every part of the pages with made-up data, and every page in every state. Only in builds for
//! development.

use askama::Template;
use axum::extract::RawPathParams;
use domain::Usd;
use domain::span::SpanKind;

use crate::choices::Choices;
use crate::form::Field;
use crate::format::{self, Figure};
use crate::layout::Shell;
use crate::pages::traces::segment;
use crate::pages::{Answer, html, no_such_page, render};
use crate::{samples, urls};

/// The parts.
#[derive(Template)]
#[template(path = "gallery.html")]
pub(crate) struct GalleryPage {
    shell: Shell,
    /// Names of all icons.
    icons: Vec<&'static str>,
    /// Every kind of span.
    kinds: Vec<SpanKind>,
    figures: Vec<Figure>,
    good: Field,
    bad: Field,
    /// Names of the pages in their states.
    pages: Vec<String>,
}

const ICONS: &str = include_str!("../../templates/parts/icons.html");

impl GalleryPage {
    fn new(choices: &Choices, here: &str) -> Self {
        let shell = Shell::new(choices, "", here);
        let samples = samples::all(shell.lang.tag(), shell.theme.name());
        GalleryPage {
            icons: ICONS
                .split("id=\"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next())
                .collect(),
            kinds: vec![
                SpanKind::Generation,
                SpanKind::Embedding,
                SpanKind::Retriever,
                SpanKind::Reranker,
                SpanKind::Tool,
                SpanKind::Agent,
                SpanKind::Chain,
                SpanKind::Guardrail,
                SpanKind::Evaluator,
                SpanKind::Event,
                SpanKind::Span,
            ],
            figures: vec![
                format::tokens(Some(14_315)),
                format::dollars("0.0144".parse::<Usd>().ok()),
                format::latency_or_nothing(Some(1412.0)),
                format::latency_or_nothing(None),
            ],
            good: Field::holding("1.8"),
            bad: Field {
                value: "htps://hooks.harbor.lan".to_owned(),
                error: "Address must begin with https://".to_owned(),
            },
            pages: samples.into_iter().map(|sample| sample.name).collect(),
            shell,
        }
    }
}

/// Shows the parts.
pub(crate) async fn show_gallery(choices: Choices) -> Answer {
    Ok(render(&GalleryPage::new(&choices, urls::GALLERY)))
}

/// Shows a page as the samples have it.
pub(crate) async fn show_sample(choices: Choices, params: RawPathParams) -> Answer {
    let name = segment(&params, "sample").unwrap_or_default();
    let samples = samples::all(choices.lang.tag(), choices.theme.name());
    let sample = samples.into_iter().find(|sample| sample.name == name);
    Ok(html(sample.ok_or_else(no_such_page)?.html))
}
