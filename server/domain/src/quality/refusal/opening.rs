use crate::quality::phrases::Phrases;

/// Characters at the start of an answer in which a refusal may stand.
const OPENING_CHARS: usize = 280;

/// What ends a clause, so that a new one may begin. No colon and no quotation mark: what follows those
/// is someone else's voice.
const CLAUSE_ENDS: [char; 9] = ['.', '!', '?', ';', ',', '\n', '—', '–', '…'];

/// Words after which the same clause turns to the refusal.
const LEAD_INS: [&str; 18] = [
    "but",
    "however",
    "sorry",
    "sorry that",
    "afraid",
    "afraid that",
    "apologize that",
    "regret that",
    "unfortunately",
    "抱歉",
    "对不起",
    "不好意思",
    "遗憾",
    "遗憾的是",
    "但",
    "但是",
    "所以",
    "因此",
];

/// The opening of an answer, plain.
pub(super) struct Opening(String);

impl Opening {
    pub(super) fn of(text: &str) -> Self {
        Opening(plain(unquoted(after_thoughts(text).trim())))
    }

    /// Whether one of the phrases stands anywhere.
    pub(super) fn has_any(&self, phrases: &Phrases) -> bool {
        phrases.any_in(&self.0)
    }

    /// Whether one of the phrases stands where a clause begins, and ends where a word ends.
    pub(super) fn has_clause_of(&self, phrases: &Phrases) -> bool {
        let opening = self.0.as_str();
        phrases.find_overlapping(opening).any(|found| {
            let before = &opening[..found.start()];
            begins_clause(before) && !in_quotation(before) && ends_word(opening, found.end())
        })
    }
}

/// The first [`OPENING_CHARS`] characters with what makes no difference taken out: letter case, forms
/// of apostrophes and punctuation, traditional characters, emphasis, repeated spaces.
pub(super) fn plain(text: &str) -> String {
    let mut plain = Vec::with_capacity(OPENING_CHARS * 2);
    let push_blank = |plain: &mut Vec<u8>| {
        if !matches!(plain.last(), Some(b' ' | b'\n')) {
            plain.push(b' ');
        }
    };
    for character in text.trim_start().chars().take(OPENING_CHARS) {
        // Nearly all of an answer, so it goes no further than here.
        if character.is_ascii_alphanumeric() {
            plain.push(character.to_ascii_lowercase() as u8);
            continue;
        }
        if character == ' ' {
            push_blank(&mut plain);
            continue;
        }
        match fold(character) {
            '*' | '_' | '#' => {}
            '\n' => plain.push(b'\n'),
            blank if blank.is_whitespace() => push_blank(&mut plain),
            other => plain.extend(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    plain.truncate(plain.trim_ascii_end().len());
    // Made of whole characters.
    String::from_utf8(plain).unwrap_or_default()
}

/// The answer behind the thoughts that some open models write in front of it.
fn after_thoughts(text: &str) -> &str {
    let Some(thoughts) = text.trim_start().strip_prefix("<think>") else {
        return text;
    };
    thoughts
        .split_once("</think>")
        .map_or("", |(_, answer)| answer)
}

/// The answer without quotation marks around the whole of it.
fn unquoted(text: &str) -> &str {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text)
}

/// Whether a quotation was opened and not closed.
fn in_quotation(before: &str) -> bool {
    let open = |open: char, close: char| before.rfind(open) > before.rfind(close);
    before.matches('"').count() % 2 == 1 || open('“', '”') || open('「', '」')
}

fn begins_clause(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    before.is_empty()
        || before.ends_with(CLAUSE_ENDS)
        || LEAD_INS.iter().any(|lead_in| {
            let rest = before.strip_suffix(lead_in);
            rest.is_some_and(|rest| !lead_in.is_ascii() || !rest.ends_with(is_letter))
        })
}

fn ends_word(text: &str, end: usize) -> bool {
    let (phrase, after) = text.split_at(end);
    !(phrase.ends_with(is_letter) && after.starts_with(is_letter))
}

/// A letter of a script that writes words apart.
fn is_letter(character: char) -> bool {
    character.is_ascii_alphanumeric()
}

fn fold(character: char) -> char {
    match character {
        '’' | '‘' | 'ʼ' | '`' | '´' => '\'',
        '、' => ',',
        '。' => '.',
        // Full-width forms of ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            let half = u32::from(character) - 0xfee0;
            char::from_u32(half).map_or(character, |half| half.to_ascii_lowercase())
        }
        '無' => '无',
        '對' => '对',
        '協' => '协',
        '幫' => '帮',
        '應' => '应',
        '說' => '说',
        '這' => '这',
        '個' => '个',
        '違' => '违',
        '討' => '讨',
        '論' => '论',
        '滿' => '满',
        '創' => '创',
        '為' => '为',
        '們' => '们',
        '請' => '请',
        '絕' => '绝',
        '問' => '问',
        '題' => '题',
        '給' => '给',
        '與' => '与',
        '參' => '参',
        '寫' => '写',
        '沒' => '没',
        '辦' => '办',
        '將' => '将',
        '會' => '会',
        '進' => '进',
        '遺' => '遗',
        '訴' => '诉',
        '繼' => '继',
        '續' => '续',
        other => other.to_ascii_lowercase(),
    }
}
