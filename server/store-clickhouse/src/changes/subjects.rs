use std::collections::BTreeSet;

use domain::change::Subject;

use crate::block::batch::split_texts;
use crate::block::{BadBlock, Columns};

/// Observations and traces of one project that were changed, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Ids of traces.
    pub traces: BTreeSet<String>,
    /// Ids of observations.
    pub observations: BTreeSet<String>,
}

impl Changed {
    pub(crate) fn add(&mut self, other: Changed) {
        self.traces.extend(other.traces);
        self.observations.extend(other.observations);
    }
}

/// What the changes of a block are about: read out of its first two columns.
pub(crate) fn subjects(columns: &Columns) -> Result<Changed, BadBlock> {
    let text = |bytes| std::str::from_utf8(bytes).map_err(|_| BadBlock::Malformed);
    let names: Vec<Subject> = split_texts(columns.part(0))
        .map(|name| Subject::from_name(text(name)?).ok_or(BadBlock::Malformed))
        .collect::<Result<_, _>>()?;
    let (numbers, _) = columns.part(1).as_chunks::<4>();
    let mut changed = Changed::default();
    for (number, id) in numbers.iter().zip(split_texts(columns.part(2))) {
        let place = match names.get(u32::from_le_bytes(*number) as usize) {
            Some(Subject::Trace) => &mut changed.traces,
            Some(Subject::Observation) => &mut changed.observations,
            None => return Err(BadBlock::Malformed),
        };
        place.insert(text(id)?.to_owned());
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use domain::change::Change;
    use domain::{ProjectId, Timestamp};

    use super::*;
    use crate::block;
    use crate::changes::encode;

    #[test]
    fn a_block_tells_what_it_changes() {
        let change = |subject, id: &str| Change {
            subject,
            id: id.to_owned(),
            time: Timestamp::EPOCH,
            is_update: false,
            place: 0,
            event_id: "e".to_owned(),
            kind: String::new(),
            body: serde_json::Map::new(),
        };
        let long = "long ".repeat(100);
        let changes = [
            change(Subject::Observation, "a"),
            change(Subject::Trace, &long),
            change(Subject::Observation, "b"),
            change(Subject::Observation, "a"),
        ];
        let block = encode(ProjectId(uuid::Uuid::nil()), &changes).unwrap();
        let changed = subjects(&block::decode(&block.into()).unwrap()).unwrap();
        assert_eq!(changed.traces, BTreeSet::from([long]));
        let observations = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert_eq!(changed.observations, observations);
    }
}
