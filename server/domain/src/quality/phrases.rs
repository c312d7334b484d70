use aho_corasick::{AhoCorasick, Match, MatchKind};

/// Phrases to look for, ASCII letters in either case.
#[derive(Clone, Debug)]
pub(super) struct Phrases(Option<AhoCorasick>);

impl Phrases {
    /// Phrases of which the longest counts where several begin.
    pub(super) fn longest<P: AsRef<[u8]>>(phrases: impl IntoIterator<Item = P>) -> Self {
        Phrases::build(phrases, MatchKind::LeftmostLongest)
    }

    /// Phrases of which every one counts, wherever it stands.
    pub(super) fn all<P: AsRef<[u8]>>(phrases: impl IntoIterator<Item = P>) -> Self {
        Phrases::build(phrases, MatchKind::Standard)
    }

    /// Where the phrases stand, from the left, none over another.
    pub(super) fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Match> + 'a {
        self.0.iter().flat_map(move |set| set.find_iter(text))
    }

    /// Whether one of the phrases stands in the text.
    pub(super) fn any_in(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|set| set.is_match(text))
    }

    /// Where the phrases stand, over each other too; only of a set made by [`Phrases::all`].
    pub(super) fn find_overlapping<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = Match> + 'a {
        self.0
            .iter()
            .flat_map(move |set| set.find_overlapping_iter(text))
    }

    /// Without phrases nothing is searched. Building fails beyond 2³¹ states, which no list that we
    /// accept comes near: then nothing is found.
    fn build<P: AsRef<[u8]>>(phrases: impl IntoIterator<Item = P>, kind: MatchKind) -> Self {
        let mut phrases = phrases.into_iter().peekable();
        if phrases.peek().is_none() {
            return Phrases(None);
        }
        let set = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(kind)
            .build(phrases);
        Phrases(set.ok())
    }
}
