//! Texts in the languages of the interface. The English text is the key; `i18n/zh.txt` holds its
//! translations, and a test fails for each that is missing or no longer used.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Marks a text that is translated elsewhere, so that the test finds it.
macro_rules! text {
    ($text:literal) => {
        $text
    };
}
pub(crate) use text;

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

static CHINESE: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| pairs(include_str!("../../i18n/zh.txt")).collect());

impl Lang {
    /// Every language.
    pub(crate) const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// The tag for `lang` attributes, cookies and URLs.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The language's own name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Zh => "简体中文",
        }
    }

    /// The language of a tag such as `zh`, `zh-Hans-CN`, `en-GB`.
    pub(crate) fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or(tag);
        Lang::ALL
            .into_iter()
            .find(|lang| lang.tag().eq_ignore_ascii_case(primary))
    }

    /// The best match for an `Accept-Language` header.
    pub(crate) fn from_accept_language(header: &str) -> Option<Self> {
        let mut wishes: Vec<(f32, Lang)> = header
            .split(',')
            .filter_map(|wish| {
                let mut parts = wish.split(';');
                let lang = Lang::from_tag(parts.next()?.trim())?;
                let weight = parts
                    .find_map(|part| part.trim().strip_prefix("q="))
                    .map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
                (weight > 0.0).then_some((weight, lang))
            })
            .collect();
        // A stable sort: of equal wishes the first one counts.
        wishes.sort_by(|a, b| b.0.total_cmp(&a.0));
        wishes.first().map(|(_, lang)| *lang)
    }

    /// The text in this language.
    pub(crate) fn t(self, text: &'static str) -> &'static str {
        match self {
            Lang::En => text,
            Lang::Zh => CHINESE.get(text).copied().unwrap_or(text),
        }
    }

    /// The text in this language, each `{}` replaced in order.
    pub(crate) fn fill(self, text: &'static str, values: &[&str]) -> String {
        let mut filled = String::new();
        let mut values = values.iter();
        let mut rest = self.t(text);
        while let Some(at) = rest.find("{}") {
            filled.push_str(&rest[..at]);
            filled.push_str(values.next().copied().unwrap_or_default());
            rest = &rest[at + 2..];
        }
        filled + rest
    }
}

fn pairs(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_reader_gets_the_language_wished_for_most() {
        let of = Lang::from_accept_language;
        assert_eq!(of("zh-CN,zh;q=0.9,en;q=0.8"), Some(Lang::Zh));
        assert_eq!(of("fr, en;q=0.7, zh;q=0.9"), Some(Lang::Zh));
        assert_eq!(of("fr;q=1, en;q=0.5, zh;q=0"), Some(Lang::En));
        assert_eq!(of("*"), None);
    }

    #[test]
    fn blanks_are_filled_in_order() {
        assert_eq!(Lang::En.fill("{} of {}", &["1", "2"]), "1 of 2");
    }

    #[test]
    fn every_text_is_translated_and_no_translation_is_left_over() {
        let used = texts_in_use();
        let known: BTreeSet<&str> = CHINESE.keys().copied().collect();
        let missing: Vec<_> = used
            .iter()
            .filter(|text| !known.contains(text.as_str()))
            .collect();
        let unused: Vec<_> = known.iter().filter(|text| !used.contains(**text)).collect();
        assert!(
            missing.is_empty() && unused.is_empty(),
            "missing: {missing:#?}\nunused: {unused:#?}"
        );
    }

    /// The literals in `t("…")`, `fill("…"` and `text!("…")` of all templates and sources.
    fn texts_in_use() -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        collect(&root.join("templates"), &mut files);
        collect(&root.join("src"), &mut files);
        let mut texts = BTreeSet::new();
        for file in files.iter().filter(|file| !file.ends_with("i18n/mod.rs")) {
            let source = std::fs::read_to_string(file).unwrap();
            for opening in [".t(\"", ".fill(\"", ".t(\n", ".fill(\n", "text!(\""] {
                for (at, _) in source.match_indices(opening) {
                    let rest = source[at + opening.len()..]
                        .trim_start()
                        .trim_start_matches('"');
                    texts.insert(rest[..rest.find('"').unwrap()].to_owned());
                }
            }
        }
        texts
    }

    fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else {
                files.push(path);
            }
        }
    }
}
