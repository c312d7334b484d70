//! Users who must not be forgotten for the time being.

mod create;
mod delete;
mod list;

use domain::legal_hold::LegalHold;
use serde::Serialize;

pub(crate) use create::create_legal_hold;
pub(crate) use delete::delete_legal_hold;
pub(crate) use list::list_legal_holds;

#[derive(Serialize)]
struct Shape<'a> {
    id: String,
    user_id: &'a str,
    reason: &'a str,
    created_by: &'a str,
    created_at: String,
}

impl<'a> From<&'a LegalHold> for Shape<'a> {
    fn from(hold: &'a LegalHold) -> Self {
        Shape {
            id: hold.id.to_string(),
            user_id: &hold.user_id,
            reason: &hold.reason,
            created_by: &hold.created_by,
            created_at: hold.created_at.to_string(),
        }
    }
}
