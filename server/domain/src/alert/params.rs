//! Parameters, read one by one, so that whatever is wrong is named by its path.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::Fault;

/// Most items of a list.
const MAX_ITEMS: usize = 50;
/// Most bytes of a text.
const MAX_TEXT: usize = 200;

/// Reads fields of an object; those that nobody asked for are refused at its [`Reader::end`].
pub(crate) struct Reader<'a> {
    path: &'a str,
    fields: &'a Map<String, Value>,
    known: BTreeSet<&'static str>,
}

impl<'a> Reader<'a> {
    /// Of the object at a path.
    pub(crate) fn new(path: &'a str, fields: &'a Map<String, Value>) -> Self {
        Reader {
            path,
            fields,
            known: BTreeSet::new(),
        }
    }

    /// A fault on a field.
    pub(crate) fn wrong(&self, field: &str, why: &str) -> Fault {
        let path = format!("{}{field}", self.path);
        Fault::invalid(format!("{path}: {why}")).on_field(path)
    }

    fn get(&mut self, field: &'static str) -> Option<&'a Value> {
        self.known.insert(field);
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// A number within limits.
    pub(crate) fn number(
        &mut self,
        field: &'static str,
        usual: f64,
        limits: RangeInclusive<f64>,
    ) -> Result<f64, Fault> {
        let found = self.optional_number(field, limits)?;
        Ok(found.unwrap_or(usual))
    }

    /// A number within limits, where there is one.
    pub(crate) fn optional_number(
        &mut self,
        field: &'static str,
        limits: RangeInclusive<f64>,
    ) -> Result<Option<f64>, Fault> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        let number = value.as_f64().filter(|number| limits.contains(number));
        let why = format!("give a number from {} to {}", limits.start(), limits.end());
        number.map(Some).ok_or_else(|| self.wrong(field, &why))
    }

    /// A whole number within limits.
    pub(crate) fn whole(
        &mut self,
        field: &'static str,
        usual: u64,
        limits: RangeInclusive<u64>,
    ) -> Result<u64, Fault> {
        let Some(value) = self.get(field) else {
            return Ok(usual);
        };
        let number = value.as_u64().filter(|number| limits.contains(number));
        let (least, most) = (limits.start(), limits.end());
        let why = format!("give a whole number from {least} to {most}");
        number.ok_or_else(|| self.wrong(field, &why))
    }

    /// Seconds within limits, a multiple of the length of a step.
    pub(crate) fn seconds(
        &mut self,
        field: &'static str,
        usual: u64,
        (step, most): (u64, u64),
    ) -> Result<u64, Fault> {
        let seconds = self.whole(field, usual, step..=most)?;
        if seconds % step != 0 {
            let why = format!("give a multiple of {step} seconds");
            return Err(self.wrong(field, &why));
        }
        Ok(seconds)
    }

    /// Yes or no.
    pub(crate) fn flag(&mut self, field: &'static str, usual: bool) -> Result<bool, Fault> {
        match self.get(field) {
            None => Ok(usual),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(field, "give true or false")),
        }
    }

    /// A text.
    pub(crate) fn text(&mut self, field: &'static str, usual: &str) -> Result<String, Fault> {
        match self.get(field) {
            None => Ok(usual.to_owned()),
            Some(Value::String(text)) if is_plain(text) => Ok(text.clone()),
            Some(_) => Err(self.wrong(field, "give a plain text of at most 200 bytes")),
        }
    }

    /// A list of texts, each once, sorted.
    pub(crate) fn texts(&mut self, field: &'static str) -> Result<Vec<String>, Fault> {
        let wrong = |reader: &Self| reader.wrong(field, "give a list of at most 50 plain texts");
        let Some(value) = self.get(field) else {
            return Ok(Vec::new());
        };
        let items = value.as_array().filter(|items| items.len() <= MAX_ITEMS);
        let items = items.ok_or_else(|| wrong(self))?.iter();
        let texts = items.map(|item| item.as_str().filter(|text| is_plain(text)));
        let texts: Option<BTreeSet<String>> = texts.map(|text| text.map(str::to_owned)).collect();
        let texts = texts.ok_or_else(|| wrong(self))?;
        Ok(texts.into_iter().collect())
    }

    /// A list of objects; `None` where it is left out.
    pub(crate) fn objects(
        &mut self,
        field: &'static str,
    ) -> Result<Option<Vec<&'a Map<String, Value>>>, Fault> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        let items = value.as_array().filter(|items| items.len() <= MAX_ITEMS);
        let objects: Option<Vec<_>> =
            items.and_then(|items| items.iter().map(Value::as_object).collect());
        let objects = objects.filter(|objects| !objects.is_empty());
        let objects = objects.ok_or_else(|| self.wrong(field, "give a list of objects"));
        objects.map(Some)
    }

    /// Refuses what nobody asked for: a slip of the pen must not pass for a success.
    pub(crate) fn end(self) -> Result<(), Fault> {
        let mut fields = self.fields.keys();
        match fields.find(|field| !self.known.contains(field.as_str())) {
            None => Ok(()),
            Some(field) => {
                let known: Vec<&str> = self.known.iter().copied().collect();
                let why = format!("is not known; known are {}", known.join(", "));
                Err(self.wrong(field, &why))
            }
        }
    }
}

fn is_plain(text: &str) -> bool {
    text.len() <= MAX_TEXT && !text.is_empty() && !text.chars().any(char::is_control)
}
