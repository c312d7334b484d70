//! How far a cache of prefixes serves two versions.

use domain::prompt::{Content, Message, Prefix};
use service::prompts::Diff;

use super::compare::Compared;
use crate::format;
use crate::i18n::Lang;

/// How far a cache of prefixes serves both.
pub(crate) struct PrefixBar {
    pub(crate) lines: Vec<PrefixLine>,
    pub(crate) words: String,
    /// Where the new version leaves the old one.
    pub(crate) leaves: String,
    pub(crate) method: String,
}

/// A version as a bar of tokens.
pub(crate) struct PrefixLine {
    pub(crate) name: String,
    /// Width of what is in common, percent.
    pub(crate) same: String,
    /// Width of the rest.
    pub(crate) rest: String,
    pub(crate) is_new: bool,
    pub(crate) is_later: bool,
    pub(crate) tokens: String,
    pub(crate) of: String,
    pub(crate) reuse: String,
}

impl PrefixBar {
    /// Of what two versions differ in.
    pub(super) fn new(lang: Lang, diff: &Diff, compared: &Compared) -> Self {
        let prefix = &diff.prefix;
        let reused = prefix.common_tokens.min(prefix.new_shared_tokens);
        let mut lines = vec![
            bar(
                (diff.from.to_string(), lang),
                (prefix.old_shared_tokens, prefix.old_tokens),
            ),
            PrefixLine {
                is_new: true,
                ..bar((diff.to.to_string(), lang), (reused, prefix.new_tokens))
            },
        ];
        if prefix.diverges_at_token.is_some() {
            lines.push(PrefixLine {
                is_later: true,
                ..bar(
                    (format!("{}′", diff.to), lang),
                    (prefix.new_shared_tokens, prefix.new_tokens),
                )
            });
        }
        PrefixBar {
            lines,
            words: words(prefix, diff.to, lang),
            leaves: leaves(&compared.old.prompt.content, &compared.new.prompt.content),
            method: method(prefix, lang),
        }
    }
}

fn words(prefix: &Prefix, to: u32, lang: Lang) -> String {
    let Some(at) = prefix.diverges_at_token else {
        return lang
            .t("Both are the same to a model: caches serve the new version as they served the old one.")
            .to_owned();
    };
    let reused = prefix.common_tokens.min(prefix.new_shared_tokens);
    let more = prefix.old_shared_tokens.saturating_sub(reused);
    let first = lang.fill(
        "Leaves the prefix at token {}: the first requests reuse {} tokens less than those of the old version.",
        &[&format::count(at), &format::count(more)],
    );
    let later = lang.fill(
        "{}′: once caches know it, its own requests share {} tokens.",
        &[&to.to_string(), &format::count(prefix.new_shared_tokens)],
    );
    format!("{first} {later}")
}

fn method(prefix: &Prefix, lang: Lang) -> String {
    match prefix.is_exact {
        true => lang.fill("Counted with {}, the model’s own.", &[prefix.tokenizer.as_str()]),
        false => lang.fill(
            "Counted with {}: the model’s own vocabulary is not public, counts are some percent off.",
            &[prefix.tokenizer.as_str()],
        ),
    }
}

#[expect(clippy::cast_precision_loss, reason = "no prompt has 2^53 tokens")]
fn bar((name, lang): (String, Lang), (same, of): (u64, u64)) -> PrefixLine {
    let share = if of == 0 {
        0.0
    } else {
        100.0 * same as f64 / of as f64
    };
    PrefixLine {
        name,
        same: format::trimmed(share, 1),
        rest: format::trimmed(100.0 - share, 1),
        is_new: false,
        is_later: false,
        tokens: format::count(same),
        of: lang.fill("of {}", &[&format::count(of)]),
        reuse: format!("{share:.0} %"),
    }
}

/// The first words of the new version that the old one does not have.
fn leaves(old: &Content, new: &Content) -> String {
    let whole = |content: &Content| match content {
        Content::Text(text) => text.clone(),
        Content::Chat(messages) => {
            let each = messages.iter().map(|message| match message {
                Message::Said { role, content } => format!("{role}\u{0}{content}\u{0}"),
                Message::Placeholder { name } => format!("{{{{{name}}}}}\u{0}"),
            });
            each.collect()
        }
    };
    let (old, new) = (whole(old), whole(new));
    let same = old
        .char_indices()
        .zip(new.chars())
        .find(|((_, one), other)| one != other);
    let at = same.map_or(old.len().min(new.len()), |((at, _), _)| at);
    let rest = new.get(at..).unwrap_or_default();
    // From the beginning of the word.
    let begin = new[..new.len() - rest.len()]
        .rfind(|c: char| c.is_whitespace() || c == '\u{0}')
        .map_or(0, |space| space + 1);
    let shown = new.get(begin..).unwrap_or_default();
    let line = shown.split(['\n', '\u{0}']).next().unwrap_or_default();
    let short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        format!("{short}…")
    } else {
        short
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_version_leaves_another_begins_with_a_whole_word() {
        let of = |old: &str, new: &str| {
            leaves(
                &Content::Text(old.to_owned()),
                &Content::Text(new.to_owned()),
            )
        };
        assert_eq!(of("You are kind.", "You are brief.\nAnd so on"), "brief.");
        assert_eq!(of("Be", "Now: {{now}}. Be"), "Now: {{now}}. Be");
        assert_eq!(of("問候你", "問題"), "問題");
        assert_eq!(of("same", "same"), "same");
    }
}
