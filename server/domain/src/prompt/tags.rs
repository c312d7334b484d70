//! Tags of a name.

use std::ops::Deref;

use crate::fault::Fault;

/// Most tags of a name.
const MAX_TAGS: usize = 100;
/// Most characters of one.
const MAX_CHARS: usize = 200;

/// Tags of a name, each once, in the order given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    /// From texts in the field `tags`; repetitions fall away.
    ///
    /// # Errors
    /// `invalid` on `tags.<at>` for one that is empty, longer than 200 characters or holds a NUL, on
    /// `tags` for more than a hundred.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, Fault> {
        let mut tags: Vec<String> = Vec::new();
        for (at, text) in texts.into_iter().enumerate() {
            if text.is_empty() || text.chars().count() > MAX_CHARS || text.contains('\0') {
                let message = "a tag has 1 to 200 characters, none of them NUL";
                return Err(Fault::invalid(message).on_field(format!("tags.{at}")));
            }
            if !tags.iter().any(|tag| tag == text) {
                tags.push(text.to_owned());
            }
        }
        if tags.len() > MAX_TAGS {
            let message = format!("give at most {MAX_TAGS} tags");
            return Err(Fault::invalid(message).on_field("tags"));
        }
        Ok(Tags(tags))
    }

    /// As they were stored, checked before that.
    pub fn from_stored(tags: Vec<String>) -> Self {
        Tags(tags)
    }
}

impl Deref for Tags {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tag_stands_once() {
        assert_eq!(&*Tags::parse(["b", "a", "b"]).unwrap(), ["b", "a"]);
        assert!(Tags::parse([""]).is_err());
        assert!(Tags::parse(["a\0"]).is_err());
    }
}
