//! A trace as those see it who know traces as things of their own: with a name, an input and an output.
//!
//! Some clients describe a trace as a whole; then that is what it says. Of others it is the root that
//! speaks for it.

use std::collections::BTreeMap;

use crate::attr::langfuse as attr;
use crate::ids::SpanId;
use crate::score::Score;
use crate::span::{Content, Span};
use crate::trace::TraceSummary;
use crate::value::Value;

/// A trace with what it says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Portrait {
    /// Its row in the list.
    pub summary: TraceSummary,
    /// What a client said about the trace as a whole.
    pub description: Option<Span>,
    /// Its root, else its first span; `None` while only a description has come.
    pub root: Option<Span>,
    /// What its other spans say of it as a whole, by key; each value is JSON text.
    pub metadata_of_spans: BTreeMap<String, String>,
    /// Its spans by start, ten thousand at most.
    pub spans: Vec<SpanId>,
    /// Its scores and those of its spans, the oldest first.
    pub scores: Vec<Score>,
}

impl Portrait {
    /// Its input; of a trace that says nothing, its root's.
    pub fn input(&self) -> Option<&str> {
        self.content(|span| span.input.as_ref(), attr::TRACE_INPUT)
    }

    /// Its output, likewise.
    pub fn output(&self) -> Option<&str> {
        self.content(|span| span.output.as_ref(), attr::TRACE_OUTPUT)
    }

    fn content<'p>(
        &'p self,
        side: impl Fn(&'p Span) -> Option<&'p Content>,
        own: &str,
    ) -> Option<&'p str> {
        let text = |span: &'p Span| side(span).map(|content| &*content.text);
        let described = self.description.as_ref().and_then(text);
        // Newer clients say it on the root, beside the root's own.
        let said = || self.root.as_ref().and_then(|root| root.text_attribute(own));
        let root = || self.root.as_ref().and_then(text);
        described.or_else(said).or_else(root)
    }

    /// Its metadata, each value JSON text: what describes the trace goes before what its root says, and that
    /// before what other spans say of the trace.
    pub fn metadata(&self) -> BTreeMap<&str, &str> {
        let spans = self.root.iter().chain(&self.description);
        let pairs = spans.flat_map(|span| &span.metadata);
        let others = self.metadata_of_spans.iter();
        others
            .chain(pairs)
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect()
    }
}

/// Whether a span says that anybody may see its trace.
pub fn is_public(span: &Span) -> bool {
    let mut values = span
        .attributes
        .iter()
        .filter(|(key, _)| [attr::TRACE_PUBLIC, attr::PUBLIC].contains(&&**key));
    values.any(|(_, value)| match value {
        Value::Bool(yes) => *yes,
        Value::Str(text) => &**text == "true",
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TraceId;
    use crate::time::Timestamp;

    fn span(id: &str) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        Span::bare(trace, SpanId::from_text(id).unwrap(), Timestamp::EPOCH)
    }

    fn content(text: &str) -> Option<Content> {
        Some(Content {
            text: text.into(),
            attribute: None,
        })
    }

    fn portrait(description: Option<Span>, root: Option<Span>) -> Portrait {
        Portrait {
            summary: TraceSummary::bare(TraceId::from_text("t").unwrap(), Timestamp::EPOCH),
            description,
            root,
            metadata_of_spans: [("a", "0"), ("c", "3")]
                .map(|(k, v)| (k.into(), v.into()))
                .into(),
            spans: Vec::new(),
            scores: Vec::new(),
        }
    }

    #[test]
    fn what_describes_the_trace_goes_before_its_root() {
        let (mut description, mut root) = (span("d"), span("r"));
        root.input = content("root in");
        root.output = content("root out");
        root.metadata = [("a", "1"), ("b", "1")]
            .map(|(k, v)| (k.into(), v.into()))
            .into();
        description.output = content("out");
        description.metadata = [("b".into(), "2".into())].into();
        let whole = portrait(Some(description), Some(root.clone()));
        assert_eq!(
            (whole.input(), whole.output()),
            (Some("root in"), Some("out"))
        );
        let expected = BTreeMap::from([("a", "1"), ("b", "2"), ("c", "3")]);
        assert_eq!(whole.metadata(), expected);
        let alone = portrait(None, Some(root));
        assert_eq!(alone.output(), Some("root out"));
    }

    #[test]
    fn a_root_may_say_what_the_whole_trace_does() {
        let mut root = span("r");
        root.input = content("its own");
        let attribute = (attr::TRACE_INPUT.into(), Value::from("the trace's"));
        root.attributes.push(attribute);
        assert_eq!(portrait(None, Some(root)).input(), Some("the trace's"));
        assert_eq!(portrait(None, None).input(), None);
    }
}
