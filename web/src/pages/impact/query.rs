//! The state of the page, as its address holds it: the range, and `unit=`.

use domain::Fault;
use domain::impact::UnitKind;

use crate::extract::Pairs;
use crate::pages::traces::query::ListQuery;
use crate::zone::Zone;

/// The state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ImpactQuery {
    /// The range.
    pub(crate) list: ListQuery,
    /// Whom things happen to; `None`: what suits each kind of event.
    pub(crate) unit: Option<UnitKind>,
}

impl ImpactQuery {
    /// From the address, with whether parts of forms were in it.
    ///
    /// # Errors
    /// `invalid`, naming the part that makes no sense.
    pub(crate) fn read(pairs: &Pairs, zone: &Zone) -> Result<(Self, bool), Fault> {
        let read = ListQuery::read(pairs, zone)?;
        let unit = pairs.filled("unit").map(|name| {
            UnitKind::from_name(name)
                .ok_or_else(|| Fault::invalid("unit is trace, session or user").on_field("unit"))
        });
        let list = ListQuery {
            range: read.query.range,
            zone: read.query.zone,
            ..ListQuery::default()
        };
        let unit = unit.transpose()?;
        Ok((ImpactQuery { list, unit }, read.from_form))
    }

    /// As the query of an address; what is as usual is left out.
    pub(crate) fn to_query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.list.to_pairs());
        query.extend_pairs(self.unit_pair());
        query.finish()
    }

    /// `unit=`, where it is chosen.
    pub(crate) fn unit_pair(&self) -> Option<(&'static str, String)> {
        self.unit.map(|unit| ("unit", unit.to_string()))
    }
}
