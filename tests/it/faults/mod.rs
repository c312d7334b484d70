//! What happens when parts die.

mod kills;
mod repricing;
mod store_away;
