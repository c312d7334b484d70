//! Words for what went wrong and what happened.

use domain::business_event::BusinessKind;
use domain::impact::{Lacking, Standing, UnitKind};
use domain::semantic::{EventType, Rule};

use crate::i18n::{Lang, text};

/// What went wrong.
pub(crate) fn event_type(event_type: EventType, lang: Lang) -> &'static str {
    lang.t(match event_type {
        EventType::IntentRecognitionFailure => text!("Intent not recognised"),
        EventType::ToolCallDeviation => text!("Tool call deviates"),
        EventType::MultiTurnInconsistency => text!("Contradicts earlier turns"),
        EventType::Hallucination => text!("Hallucination"),
        EventType::Refusal => text!("Refusal"),
        EventType::FormatError => text!("Format error"),
        EventType::AgentLoop => text!("Agent loop"),
    })
}

/// By which rule it was found.
pub(crate) fn rule(rule: Rule, lang: Lang) -> &'static str {
    lang.t(match rule {
        Rule::Reported => text!("reported by the client"),
        Rule::RefusalCheck => text!("the answer was checked"),
        Rule::FormatCheck => text!("checked against the format that was asked for"),
        Rule::TruncatedJson => text!("JSON that ends too early"),
        Rule::ToolNotOffered => text!("a tool that was not offered"),
        Rule::ToolArguments => text!("arguments against the schema"),
        Rule::ToolResultUnknown => text!("a result without a call"),
        Rule::FallbackIntent => text!("fallback intent"),
        Rule::RepeatedToolCall => text!("the same call three times"),
        Rule::RepeatedAgent => text!("the same agent three times"),
        Rule::Score => text!("by a score"),
    })
}

/// A kind of business event, by what it is called where it is counted.
pub(crate) fn series(series: &str, lang: Lang) -> String {
    let (kind, name) = match series.split_once(':') {
        Some((kind, name)) => (kind, Some(name)),
        None => (series, None),
    };
    let words = lang.t(match BusinessKind::from_name(kind) {
        Some(BusinessKind::Ticket) => text!("Ticket"),
        Some(BusinessKind::Conversion) => text!("Conversion"),
        Some(BusinessKind::SlaBreach) => text!("SLA breach"),
        Some(BusinessKind::Custom) | None => text!("Custom event"),
    });
    name.map_or_else(|| words.to_owned(), str::to_owned)
}

/// What can be said of a pair.
pub(super) fn standing(standing: Standing, lang: Lang) -> &'static str {
    lang.t(match standing {
        Standing::Linked => text!("linked"),
        Standing::NotLinked => text!("no more than chance"),
        Standing::NotEnoughData => text!("not enough data"),
    })
}

/// What there is too little of.
pub(super) fn lacking(lacking: Lacking, lang: Lang) -> &'static str {
    lang.t(match lacking {
        Lacking::Exposed => text!("Fewer than 20 were exposed."),
        Lacking::Unexposed => text!("Fewer than 20 were not exposed."),
        Lacking::Events => text!("It happened to fewer than 5."),
    })
}

/// Whom things happen to.
pub(super) fn unit(unit: UnitKind, lang: Lang) -> &'static str {
    lang.t(match unit {
        UnitKind::Trace => text!("Traces"),
        UnitKind::Session => text!("Sessions"),
        UnitKind::User => text!("Users"),
    })
}
