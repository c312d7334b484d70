//! The people, places and sentences of the story: an airline's support copilot, its night-time
//! summaries, and a bookkeeping agent, on hosted and self-hosted models.

/// Tenants of the application, with their share of the traffic in percent.
pub(crate) const TENANTS: &[(&str, u32)] = &[
    ("lumen-air", 42),
    ("acme-retail", 27),
    ("northstar", 19),
    ("kite-bank", 12),
];

/// Models: name, provider, input and output dollars per million tokens, milliseconds to read a
/// thousand input tokens, milliseconds for each output token.
pub(crate) const SELF_HOSTED: Model = Model {
    name: "qwen3-32b",
    provider: "vllm",
    prefill_ms_per_k: 55.0,
    decode_ms: 14.0,
};
/// A hosted model for the short steps.
pub(crate) const SMALL: Model = Model {
    name: "gpt-5-mini",
    provider: "openai",
    prefill_ms_per_k: 38.0,
    decode_ms: 7.5,
};
/// A hosted model for the long ones.
pub(crate) const LARGE: Model = Model {
    name: "claude-sonnet-4-5",
    provider: "anthropic",
    prefill_ms_per_k: 60.0,
    decode_ms: 13.0,
};

/// A model and how fast it is.
#[derive(Clone, Copy)]
pub(crate) struct Model {
    /// Name as requested.
    pub(crate) name: &'static str,
    /// Who serves it.
    pub(crate) provider: &'static str,
    /// Milliseconds to read a thousand input tokens.
    pub(crate) prefill_ms_per_k: f64,
    /// Milliseconds for each output token.
    pub(crate) decode_ms: f64,
}

/// Instances that serve the self-hosted model.
pub(crate) const INSTANCES: &[&str] = &["vllm-a1", "vllm-a2", "vllm-b1"];

/// What travellers ask, with the intent that they have.
pub(crate) const QUESTIONS: &[(&str, &str)] = &[
    (
        "My bag for LA 472 arrived two days late and the clothes I bought meanwhile cost 146 euro. Can I get that back?",
        "refund",
    ),
    (
        "Change the name on booking 7XK2P, I married last week",
        "booking",
    ),
    (
        "Est-ce que je peux emmener mon vélo sur le vol de samedi ?",
        "baggage",
    ),
    ("Why was I charged twice for seat 14C", "billing"),
    (
        "Wann bekomme ich das Geld für den stornierten Flug zurück?",
        "refund",
    ),
    ("Cancel my subscription but keep the points", "loyalty"),
    ("Is the lounge in Lyon open on Sunday morning", "airport"),
    ("I need an invoice with VAT for order 99120-B", "billing"),
    ("Can my daughter fly alone, she is eleven", "policy"),
    ("Upgrade to business with points, flight LA 118", "loyalty"),
    ("Refund to another card, the old one was stolen", "refund"),
    ("What is the allowance for a cello", "baggage"),
    ("Your app crashes when I open the boarding pass", "app"),
    ("How do I add a known traveller number", "booking"),
    ("Move both of us to the evening flight", "booking"),
    ("Do I need a transit visa in Doha", "policy"),
    ("我的行李在转机时丢了，应该找谁？", "baggage"),
    ("座席を窓側に変更できますか", "booking"),
    ("Seat map shows no free aisle seat", "app"),
    ("Complaint about the crew on LA 203", "complaint"),
];

/// What the copilot answers, by intent.
pub(crate) const ANSWERS: &[(&str, &str)] = &[
    (
        "refund",
        "I am sorry about the delay. You can claim the full amount. Please send the receipts, we pay within 7 days.",
    ),
    (
        "booking",
        "I have prepared the change. Please confirm within 30 minutes, there is no fee for it.",
    ),
    (
        "baggage",
        "Yes, with a booking 48 hours ahead. It travels in the hold, the fee is 45 euro each way.",
    ),
    (
        "billing",
        "I see both charges. The second was a pre-authorisation and falls away within three working days.",
    ),
    (
        "loyalty",
        "Your points stay valid for 24 months. I have moved the request to the loyalty desk.",
    ),
    (
        "airport",
        "It is open from 05:30 to 22:00 on Sundays, entrance beside gate B14.",
    ),
    (
        "policy",
        "That is possible from the age of five with our escort service; please book it by phone.",
    ),
    (
        "app",
        "Thank you for telling us. Please update to version 8.2.1; until then the boarding pass is in your e-mail.",
    ),
    (
        "complaint",
        "I am sorry that happened. I have passed your words on to the crew manager, who will write to you.",
    ),
];

/// Documents of the knowledge base.
pub(crate) const DOCUMENTS: &[&str] = &[
    "kb-2207 Late baggage",
    "policy-B4 Expenses",
    "kb-1180 Name change",
    "kb-0931 Sports gear",
];

/// The answer to an intent.
pub(crate) fn answer_to(intent: &str) -> &'static str {
    ANSWERS
        .iter()
        .find(|(known, _)| *known == intent)
        .map_or("Let me look into that.", |(_, text)| text)
}
