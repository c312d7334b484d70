//! Completions of chats through the connections of a project: what is asked, and the answer while it comes.
//!
//! **Invariants:** requests go out by [`crate::outbound`] alone; a credential is neither logged nor part of
//! what is told; of an answer that is none, no more than its error's own words are told, cut and as text;
//! time, size and the number of runs at once are bounded.

/// Anthropic's interface.
mod anthropic;
/// What is asked.
mod ask;
/// What came so far, put together.
mod assembly;
/// What is kept of a run as an experiment.
mod kept;
/// `OpenAI`'s interface, and what imitates it.
mod openai;
/// What a run comes to.
mod outcome;
/// Runs at once.
mod places;
/// One run.
mod run;
/// Server-sent events.
mod sse;
/// Which address, which headers.
mod target;

use domain::LlmConnectionId;
use domain::llm_connection::{Adapter, LlmConnection};

pub use ask::{Ask, MAX_MESSAGES, NAMED_PARAMETERS, filled};
pub use assembly::{Assembled, Call};
pub use kept::{Keep, Kept, Source, keep};
pub use outcome::Outcome;
pub(crate) use places::Places;
pub use run::{Run, Told, start};

use crate::app::App;
use crate::scope::ProjectScope;

/// Whether the interface of an adapter is spoken here.
pub fn is_served(adapter: Adapter) -> bool {
    !matches!(adapter, Adapter::Bedrock | Adapter::VertexAi)
}

/// Models that are offered for a connection: its own, then those that its adapter is known for.
pub fn offered(connection: &LlmConnection) -> Vec<String> {
    let known = match connection.adapter {
        Adapter::OpenAi => openai::MODELS,
        Adapter::Anthropic => anthropic::MODELS,
        Adapter::AiStudio => openai::MODELS_OF_AI_STUDIO,
        Adapter::Azure | Adapter::Bedrock | Adapter::VertexAi => &[],
    };
    let known = known.iter().filter(|_| connection.with_default_models);
    let own = connection.custom_models.iter().cloned();
    own.chain(known.map(|&model| model.to_owned())).collect()
}

/// Asks a connection for a word; the time that this took, or why there is no answer.
///
/// # Errors
/// `forbidden`, `not_found`, `too_many`, or `unavailable` without Postgres.
pub async fn try_out(
    app: &App,
    scope: &ProjectScope,
    (connection, model): (LlmConnectionId, &str),
) -> Result<Result<Outcome, String>, domain::Fault> {
    let mut run = match start(app, scope, Ask::trial(connection, model)).await {
        Ok(run) => run,
        Err(fault) if fault.code == domain::Code::Invalid => return Ok(Err(fault.message)),
        Err(fault) => return Err(fault),
    };
    loop {
        match run.next().await {
            Some(Told::Done(outcome)) => return Ok(Ok(*outcome)),
            Some(Told::Failed(why)) => return Ok(Err(why)),
            Some(_) => {}
            None => return Ok(Err("the answer has no end".to_owned())),
        }
    }
}
