//! What was said, as the panel shows it: messages, or input and output as sent.

use domain::message::{Side, said};
use domain::span::Span;

use super::panel::Subject;
use crate::content::messages::Part;
use crate::content::{self, Amount, Readable, Shown};
use crate::format;
use crate::pages::traces::Sight;
use crate::urls;

/// A piece of a conversation, or a whole input or output.
pub(crate) struct Block {
    /// Class of the message.
    pub(crate) class: String,
    /// Who, or what.
    pub(crate) role: String,
    /// Beside it.
    pub(crate) note: String,
    pub(crate) parts: Vec<Part>,
    /// Whether the parts are code: as sent, in monospace.
    pub(crate) code: bool,
    /// Where the whole is, when this is its head.
    pub(crate) more: Option<More>,
}

/// What is missing from a content.
pub(crate) struct More {
    pub(crate) all_url: String,
    /// Empty where it is not given as a file.
    pub(crate) download_url: String,
    pub(crate) size: String,
}

/// The error first, then what went in and what came out.
pub(super) fn contents(
    sight: Sight<'_>,
    subject: &Subject<'_>,
    tab: &str,
    all: Option<&str>,
) -> Vec<Block> {
    let span = subject.span;
    let lang = sight.lang();
    let mut blocks = Vec::new();
    if let Some(error) = span.error.as_ref().filter(|_| tab != "raw") {
        let message = content::head(&error.message, content::HEAD_BYTES);
        blocks.push(Block {
            class: "failure".to_owned(),
            role: lang.t("error").to_owned(),
            note: error.kind.clone().unwrap_or_default(),
            parts: vec![Part::Text(message.to_owned())],
            code: true,
            more: None,
        });
    }
    let both = [
        ("input", lang.t("input"), &span.input, Side::Input),
        ("output", lang.t("output"), &span.output, Side::Output),
    ];
    for (which, label, sent, side) in both {
        let Some(sent) = sent else { continue };
        let amount = if all == Some(which) {
            Amount::Whole
        } else {
            Amount::Head
        };
        let shown = if tab == "raw" {
            content::raw(&sent.text, amount)
        } else {
            content::read(&sent.text, said(span, side), amount)
        };
        let more = shown
            .cut
            .then(|| more(sight, span, (tab, which), shown.bytes));
        add_blocks(&mut blocks, (which, label), shown, more);
    }
    if tab != "raw" {
        for block in &mut blocks {
            block.parts = subject.attachments.within(std::mem::take(&mut block.parts));
        }
    }
    blocks
}

fn more(sight: Sight<'_>, span: &Span, (tab, which): (&str, &str), bytes: usize) -> More {
    let tab_url = urls::trace_span_tab(sight.door, &span.trace_id, &span.span_id, tab);
    More {
        all_url: format!("{tab_url}&all={which}"),
        download_url: match sight.door.is_open {
            true => String::new(),
            false => urls::span_content(sight.door, &span.trace_id, &span.span_id, which),
        },
        size: format::bytes(bytes),
    }
}

fn add_blocks(
    blocks: &mut Vec<Block>,
    (which, label): (&str, &str),
    shown: Shown,
    more: Option<More>,
) {
    let output = if which == "output" { " output" } else { "" };
    let single = |part: Part, code: bool| Block {
        class: format!("plain{output}"),
        role: label.to_owned(),
        note: String::new(),
        parts: vec![part],
        code,
        more: None,
    };
    match shown.readable {
        Readable::Text(text) => blocks.push(single(Part::Text(text), false)),
        Readable::Json(tokens) => blocks.push(single(Part::Other(tokens), true)),
        Readable::Messages(messages) => blocks.extend(messages.into_iter().map(|message| Block {
            class: format!("{}{output}", message.role),
            role: message.role.to_owned(),
            note: message.name.unwrap_or_default(),
            parts: message.parts,
            code: false,
            more: None,
        })),
    }
    if let Some(last) = blocks.last_mut() {
        last.more = more;
    }
}
