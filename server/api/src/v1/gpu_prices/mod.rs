//! GPUs of the project's own: what they cost, and what they yielded for it.

mod costs;
mod create;
mod delete;
mod list;

pub(crate) use costs::show_gpu_costs;
pub(crate) use create::create_gpu_price;
pub(crate) use delete::delete_gpu_price;
pub(crate) use list::list_gpu_prices;
