//! Where projects are told of incidents.

mod create;
mod delete;
mod list;
mod test;
mod update;

pub(crate) use create::create_channel;
pub(crate) use delete::delete_channel;
pub(crate) use list::list_channels;
pub(crate) use test::test_channel;
pub(crate) use update::update_channel;

use domain::Fault;
use service::alerts::channels::Draft;

use crate::extract::Body;

/// What a body gives of a channel.
fn draft(body: &Body) -> Result<Draft, Fault> {
    let text = |field| Ok::<_, Fault>(body.text(field)?.map(str::to_owned));
    Ok(Draft {
        name: text("name")?,
        url: text("url")?,
        secret: body.text_or_null("secret")?.map(str::to_owned),
        enabled: body.flag("enabled")?,
        prompts: body.flag("prompts")?,
    })
}
