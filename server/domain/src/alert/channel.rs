//! Where messages go.

use crate::span::named_enum;
use crate::{AlertChannelId, Timestamp};

named_enum!(
    /// What is understood there.
    ChannelKind, default Webhook {
        /// JSON of our own, signed as Standard Webhooks say.
        Webhook = "webhook",
        /// What Slack's incoming webhooks take; many others do, too.
        Slack = "slack",
        /// Version 2 of Alertmanager's API.
        Alertmanager = "alertmanager",
    }
);

/// A channel, without what is secret of it: its address may be a credential itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertChannel {
    /// Its id.
    pub id: AlertChannelId,
    /// What it is called.
    pub name: String,
    /// What is understood there.
    pub kind: ChannelKind,
    /// Host of its address, to be shown.
    pub host: String,
    /// Whether messages are sent.
    pub enabled: bool,
    /// Whether changes of prompts are told there, too.
    pub tells_of_prompts: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}
