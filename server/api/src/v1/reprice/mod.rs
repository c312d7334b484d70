//! History priced anew.

mod create;
mod show;

pub(crate) use create::create_reprice;
pub(crate) use show::show_reprice;
