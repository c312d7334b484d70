//! What happens when parts die.

mod kills;
mod store_away;
