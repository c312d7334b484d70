//! Model names without their decorations.

/// Names of vendors before a dot in Bedrock's and Oracle's model ids.
const DOTTED_VENDORS: &[&str] = &[
    "ai21",
    "amazon",
    "anthropic",
    "cohere",
    "deepseek",
    "google",
    "luma",
    "meta",
    "minimax",
    "mistral",
    "moonshot",
    "moonshotai",
    "nvidia",
    "openai",
    "qwen",
    "stability",
    "twelvelabs",
    "writer",
    "xai",
    "zai",
];

/// Where Bedrock keeps inference, before another dot.
const GEOGRAPHIES: &[&str] = &[
    "us", "eu", "apac", "global", "jp", "au", "in", "ca", "us-gov",
];

/// `OpenRouter`'s variants that cost what the model costs. `:free` is none of them: it costs
/// nothing or has no price, never the price of the model.
const VARIANTS: &[&str] = &[
    "thinking", "nitro", "floor", "online", "beta", "extended", "exacto",
];

/// How new a name is among those of its family: undated above `-latest` above the newest date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Recency(u32);

impl Recency {
    const UNDATED: Recency = Recency(u32::MAX);
    const LATEST: Recency = Recency(u32::MAX - 1);
}

/// A name that stands for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alias {
    /// In lower case.
    pub(super) name: String,
    /// What was taken off, the more it tells the more: decoration 1, vendor 2, geography 4, folder 8.
    pub(super) distance: u8,
    /// How new the name is within its family.
    pub(super) recency: Recency,
}

/// A name without the road that leads to it (ARN, resource path), and the host that the road tells.
pub(super) fn without_path(name: &str) -> (Option<&'static str>, &str) {
    if name.starts_with("arn:aws") {
        let id = name.rsplit('/').next().unwrap_or(name);
        return (Some("bedrock"), id);
    }
    if let Some((path, id)) = name.rsplit_once("/models/") {
        if path.contains("publishers/") {
            return (Some("vertex_ai"), id);
        }
        if path.contains("accounts/fireworks") {
            return (Some("fireworks_ai"), id);
        }
    }
    if let Some(id) = name.strip_prefix("models/") {
        return (Some("gemini"), id);
    }
    if dotted_vendor(without_geography(name)).is_some() {
        return (Some("bedrock"), name);
    }
    let name = name.strip_prefix("litellm_proxy/").unwrap_or(name);
    (None, name.strip_prefix("litellm/").unwrap_or(name))
}

/// Every name that may stand for this one, the most exact first. `name` is in lower case.
pub(super) fn aliases(name: &str) -> Vec<Alias> {
    let plain = dashed_claude(without_decoration(name));
    let last = plain.rsplit('/').next().unwrap_or(&plain);
    let here = without_geography(last);
    let bare = dotted_vendor(here).unwrap_or(here);
    let decoration = u8::from(plain.len() < name.len());
    let vendor = 2 * u8::from(bare.len() < here.len());
    let geography = 4 * u8::from(here.len() < last.len());
    let folder = 8 * u8::from(last.len() < plain.len());
    let mut aliases: Vec<Alias> = Vec::new();
    for (name, distance) in [
        (name, 0),
        (&*plain, decoration),
        (last, decoration + folder),
        (here, decoration + folder + geography),
        (bare, decoration + folder + geography + vendor),
    ] {
        for (name, recency) in family(name) {
            if aliases.iter().all(|alias| alias.name != name) {
                aliases.push(Alias {
                    name: name.to_owned(),
                    distance,
                    recency,
                });
            }
        }
    }
    aliases
}

/// The name without place and vendor.
pub(super) fn bare(name: &str) -> &str {
    let here = without_geography(name.rsplit('/').next().unwrap_or(name));
    dotted_vendor(here).unwrap_or(here)
}

/// The name and those of its family: without the date, without `-preview` before the date.
fn family(name: &str) -> impl Iterator<Item = (&str, Recency)> {
    let undated = split_date(name);
    let released = undated
        .filter(|(_, recency)| *recency != Recency::LATEST)
        .and_then(|(stem, recency)| Some((stem.strip_suffix("-preview")?, recency)));
    std::iter::once((name, Recency::UNDATED))
        .chain(undated)
        .chain(released)
}

fn without_geography(name: &str) -> &str {
    match name.split_once('.') {
        Some((place, rest)) if GEOGRAPHIES.contains(&place) => rest,
        Some(_) | None => name,
    }
}

fn dotted_vendor(name: &str) -> Option<&str> {
    let (vendor, id) = name.split_once('.')?;
    DOTTED_VENDORS.contains(&vendor).then_some(id)
}

/// Without `[1m]`, `:thinking`, the owner of a fine-tuned model, `-v1:0`.
fn without_decoration(name: &str) -> &str {
    let name = match name.rsplit_once('[') {
        Some((stem, rest)) if rest.ends_with(']') => stem,
        Some(_) | None => name,
    };
    let name = match name.rsplit_once(':') {
        Some((stem, variant)) if VARIANTS.contains(&variant) => stem,
        Some(_) | None => name,
    };
    if let Some(tuned) = name.strip_prefix("ft:") {
        let base = tuned.split(':').next().unwrap_or(tuned);
        return &name[..3 + base.len()];
    }
    without_bedrock_version(name)
}

/// Bedrock's ids end in a version and a revision. Version 1 and one behind a date tell no models
/// apart (`claude-3-5-sonnet-20241022-v2:0`); others do (`titan-embed-text-v2:0`).
fn without_bedrock_version(name: &str) -> &str {
    let revised = name
        .rsplit_once(':')
        .filter(|(_, revision)| is_number(revision));
    let versioned = revised.map_or(name, |(stem, _)| stem);
    let Some((stem, version)) = versioned.rsplit_once("-v") else {
        return versioned;
    };
    let is_claude_4_6_v1 = stem.contains("claude") && stem.ends_with(|c: char| c.is_ascii_digit());
    let first = version == "1" && (revised.is_some() || is_claude_4_6_v1);
    if first || (is_number(version) && split_date(stem).is_some()) {
        stem
    } else {
        versioned
    }
}

/// `OpenRouter` writes `claude-sonnet-4.5` for what its maker calls `claude-sonnet-4-5`.
fn dashed_claude(name: &str) -> std::borrow::Cow<'_, str> {
    let Some(at) = name.find("claude") else {
        return name.into();
    };
    let (before, claude) = name.split_at(at);
    format!("{before}{}", claude.replace('.', "-")).into()
}

/// The name before a date at its end, and how new the date is.
fn split_date(name: &str) -> Option<(&str, Recency)> {
    if let Some(stem) = name.strip_suffix("-latest") {
        return Some((stem, Recency::LATEST));
    }
    if let Some((stem, version)) = name.rsplit_once('@') {
        return match version {
            "latest" | "default" => Some((stem, Recency::LATEST)),
            date if is_number(date) => Some((stem, Recency(date.parse().ok()?))),
            _ => split_dash(name),
        };
    }
    split_dash(name)
}

fn split_dash(name: &str) -> Option<(&str, Recency)> {
    let (rest, last) = name.rsplit_once('-')?;
    if !is_number(last) {
        return None;
    }
    let number: u32 = last.parse().ok()?;
    match last.len() {
        8 => is_date(number / 10_000, number / 100 % 100, number % 100)
            .then_some((rest, Recency(number))),
        4 => split_month_and_year(rest, number).or_else(|| short_date(rest, number)),
        3 => (number < 10 && has_version(rest)).then_some((rest, Recency(number))),
        2 => split_day(rest, number),
        _ => None,
    }
}

/// Google numbers the releases of a version (`gemini-2.0-flash-001`); elsewhere the number is the
/// version (`davinci-002`).
fn has_version(stem: &str) -> bool {
    stem.contains(|c: char| c.is_ascii_digit())
}

/// `-09-2025`.
fn split_month_and_year(rest: &str, year: u32) -> Option<(&str, Recency)> {
    let (stem, month) = two_digits(rest)?;
    is_date(year, month, 1).then_some((stem, Recency(year * 10_000 + month * 100)))
}

/// `-0315` is a day of March, `-2411` November of 2024.
fn short_date(rest: &str, number: u32) -> Option<(&str, Recency)> {
    let (first, second) = (number / 100, number % 100);
    let year = 2000 + first;
    if is_date(2024, first, second) {
        Some((rest, Recency(number)))
    } else if (2023..2040).contains(&year) && is_date(year, second, 1) {
        Some((rest, Recency(year * 10_000 + second * 100)))
    } else {
        None
    }
}

/// `-2025-12-17` or `-05-20`.
fn split_day(rest: &str, day: u32) -> Option<(&str, Recency)> {
    let (before, month) = two_digits(rest)?;
    if !is_date(2024, month, day) {
        return None;
    }
    let year = before.rsplit_once('-').and_then(|(stem, year)| {
        let year: u32 = year.parse().ok().filter(|_| is_number(year))?;
        is_date(year, month, day).then_some((stem, year))
    });
    let (stem, year) = year.unwrap_or((before, 0));
    Some((stem, Recency(year * 10_000 + month * 100 + day)))
}

fn two_digits(name: &str) -> Option<(&str, u32)> {
    let (rest, last) = name.rsplit_once('-')?;
    let number = last.parse().ok()?;
    (last.len() == 2 && is_number(last)).then_some((rest, number))
}

fn is_date(year: u32, month: u32, day: u32) -> bool {
    (2020..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
