//! Alerts: settings, channels, rules; looking at rules; telling of what came of them.
//!
//! [`run`] is the background work: [`work`] looks at the rules of projects, one server at a time, and writes
//! incidents, their messages and the states of rules in one transaction; [`send`] sends the messages; incidents of the
//! first severity get their attributions, and labels of prompts go back. All of it may be stopped anywhere, and several
//! servers may do it.

/// Where projects are told.
pub mod channels;
/// What rules saw over a stretch of time, and what they see now.
pub mod course;
/// What telemetry says, gathered for rules.
mod gather;
/// From events to incidents and messages.
mod record;
/// Rules.
pub mod rules;
/// Messages on their way.
mod send;
/// What projects set for all their rules.
pub mod settings;
/// Versions of prompts that went back, and what took their place.
mod successors;
/// Rules that are tried without telling anybody.
pub mod trial;
/// What is usual.
pub mod usual;
/// Looking at rules.
mod work;

use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::{attributions, rollback};

pub(crate) use record::{BOOST, Recorder, url};
pub use send::Attempt;

/// Projects of a server at once, so that a large one does not hold up the others.
const LOOKERS: usize = 2;
/// Messages of a server at once, so that a slow receiver does not hold up the others.
const SENDERS: usize = 4;

/// Looks at rules, sends messages, makes attributions of incidents and decides rollbacks, until `stop`.
pub async fn run(app: App, stop: CancellationToken) {
    let senders = join_all((0..SENDERS).map(|_| send::work(&app, &stop)));
    let lookers = join_all((0..LOOKERS).map(|_| work::work(&app, &stop)));
    let (attributions, rollbacks) = (attributions::run(&app, &stop), rollback::run(&app, &stop));
    tokio::join!(lookers, senders, attributions, rollbacks);
}
