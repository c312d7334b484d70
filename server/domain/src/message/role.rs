use serde::Serialize;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The application, to the model.
    System,
    /// The person, or whoever stands for one.
    User,
    /// The model.
    Assistant,
    /// A tool that ran.
    Tool,
}

impl Role {
    /// Its name in the API and on pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    /// The role that a word of some dialect stands for, `None` for a free name.
    pub fn from_word(word: &str) -> Option<Self> {
        const WORDS: &[(&str, Role)] = &[
            ("system", Role::System),
            ("developer", Role::System),
            ("user", Role::User),
            ("human", Role::User),
            ("assistant", Role::Assistant),
            ("ai", Role::Assistant),
            ("model", Role::Assistant),
            ("bot", Role::Assistant),
            ("chatbot", Role::Assistant),
            ("tool", Role::Tool),
            ("function", Role::Tool),
        ];
        WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|(_, role)| *role)
    }

    /// The role of a word with the name that remains of it: a free name speaks as user.
    pub(super) fn and_name(word: &str) -> (Self, Option<String>) {
        match Role::from_word(word) {
            Some(role) => (role, None),
            None => (
                Role::User,
                Some(word.to_owned()).filter(|name| !name.is_empty()),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_dialect_fold_to_four_roles() {
        assert_eq!(Role::from_word("developer"), Some(Role::System));
        assert_eq!(Role::from_word("human"), Some(Role::User));
        assert_eq!(Role::from_word("CHATBOT"), Some(Role::Assistant));
        assert_eq!(Role::from_word("function"), Some(Role::Tool));
    }

    #[test]
    fn a_free_name_speaks_as_user_under_that_name() {
        assert_eq!(
            Role::and_name("customer"),
            (Role::User, Some("customer".to_owned()))
        );
    }
}
