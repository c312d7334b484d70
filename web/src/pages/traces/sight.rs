//! How somebody sees a trace: in which language and zone, and by which door they came.

use crate::choices::Choices;
use crate::extract::Reader;
use crate::i18n::Lang;
use crate::urls::Door;
use crate::zone::Zone;

/// How somebody sees a trace.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    /// Language, zone.
    pub(crate) choices: &'a Choices,
    /// The way by which they came, and on which they stay.
    pub(crate) door: Door,
}

impl Sight<'_> {
    /// Language of the page.
    pub(crate) fn lang(&self) -> Lang {
        self.choices.lang
    }

    /// Zone of all times on the page.
    pub(crate) fn zone(&self) -> &Zone {
        &self.choices.zone
    }
}

impl<'a> From<&'a Reader> for Sight<'a> {
    fn from(reader: &'a Reader) -> Self {
        Sight {
            choices: &reader.visitor.choices,
            door: reader.id().into(),
        }
    }
}
