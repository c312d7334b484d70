use super::fields::Field;
use super::values::{Sign, Value, term};
use super::{Problem, Search, SearchError};
use crate::comparison::Compare;

/// Most characters of a search.
pub const MAX_CHARS: usize = 2000;
/// Most terms of a search.
pub const MAX_TERMS: usize = 40;
/// Most parentheses and negations within each other.
pub const MAX_DEPTH: usize = 20;

/// A text that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// What it means; `None` where nothing is looked for.
    pub search: Option<Search>,
    /// Words before a colon that are no fields: they were taken as text.
    pub unknown_fields: Vec<String>,
}

/// Reads a search.
///
/// # Errors
/// With what is wrong, and where.
pub fn parse(text: &str) -> Result<Parsed, SearchError> {
    let chars: Vec<char> = text.chars().collect();
    let fail = |at, problem| Err(SearchError { at, problem });
    if chars.len() > MAX_CHARS {
        return fail(MAX_CHARS, Problem::TooLong);
    }
    if let Some(at) = chars.iter().position(|c| *c == '\0') {
        return fail(at, Problem::Nul);
    }
    let mut reader = Reader {
        chars: &chars,
        at: 0,
        depth: 0,
        terms: 0,
        unknown_fields: Vec::new(),
    };
    reader.skip_space();
    if reader.peek().is_none() {
        return Ok(Parsed {
            search: None,
            unknown_fields: Vec::new(),
        });
    }
    let search = reader.any()?;
    if reader.peek().is_some() {
        return fail(reader.at, Problem::StrayParenthesis);
    }
    Ok(Parsed {
        search: Some(search),
        unknown_fields: reader.unknown_fields,
    })
}

struct Reader<'t> {
    chars: &'t [char],
    at: usize,
    depth: usize,
    terms: usize,
    unknown_fields: Vec<String>,
}

type Read<T> = Result<T, SearchError>;

impl Reader<'_> {
    /// Terms between ORs.
    fn any(&mut self) -> Read<Search> {
        let mut those = vec![self.all()?];
        while self.take_operator("OR") {
            those.push(self.all()?);
        }
        Ok(one_or(those, Search::Any))
    }

    /// Terms side by side, or between ANDs.
    fn all(&mut self) -> Read<Search> {
        let mut those = vec![self.not()?];
        loop {
            if self.take_operator("AND") {
                those.push(self.not()?);
                continue;
            }
            if matches!(self.peek(), None | Some(')')) || self.is_operator("OR") {
                return Ok(one_or(those, Search::All));
            }
            those.push(self.not()?);
        }
    }

    fn not(&mut self) -> Read<Search> {
        let start = self.at;
        if !self.take_operator("NOT") {
            return self.one();
        }
        self.deeper(start)?;
        if self.ends_here() {
            return self.fail(start, Problem::Alone("NOT"));
        }
        let denied = self.not()?;
        self.depth -= 1;
        Ok(Search::Not(Box::new(denied)))
    }

    /// A group, a phrase, a comparison or a word.
    fn one(&mut self) -> Read<Search> {
        let start = self.at;
        for operator in ["AND", "OR"] {
            if self.is_operator(operator) {
                return self.fail(start, Problem::Alone(operator));
            }
        }
        match self.peek() {
            None => {
                let (at, operator) = self.last_operator();
                self.fail(at, Problem::Alone(operator))
            }
            Some(')') if self.depth == 0 => self.fail(start, Problem::StrayParenthesis),
            Some(')') => self.fail(start, Problem::Empty),
            Some('(') => self.group(),
            Some('"') => {
                let phrase = self.phrase()?;
                self.finish(start, Search::text(phrase))
            }
            Some(_) => match self.comparison()? {
                Some(compared) => self.finish(start, compared),
                None => {
                    let word = self.word();
                    self.note_unknown_field(&word);
                    self.finish(start, Search::text(word))
                }
            },
        }
    }

    fn group(&mut self) -> Read<Search> {
        let start = self.at;
        self.deeper(start)?;
        self.at += 1;
        self.skip_space();
        if self.peek().is_none() {
            return self.fail(start, Problem::OpenParenthesis);
        }
        let inner = self.any()?;
        if self.peek() != Some(')') {
            return self.fail(start, Problem::OpenParenthesis);
        }
        self.at += 1;
        self.depth -= 1;
        self.skip_space();
        Ok(inner)
    }

    /// A term was read that began there.
    fn finish(&mut self, start: usize, term: Search) -> Read<Search> {
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return self.fail(start, Problem::TooMany);
        }
        self.skip_space();
        Ok(term)
    }

    /// What stands between quotes; a backslash makes a quote or a backslash mean itself.
    fn phrase(&mut self) -> Read<String> {
        let start = self.at;
        self.at += 1;
        let mut phrase = String::new();
        loop {
            let Some(next) = self.peek() else {
                return self.fail(start, Problem::OpenQuote);
            };
            self.at += 1;
            match next {
                '"' if phrase.is_empty() => return self.fail(start, Problem::Empty),
                '"' => return Ok(phrase),
                '\\' => match self.peek().filter(|c| matches!(c, '"' | '\\')) {
                    Some(meant) => {
                        self.at += 1;
                        phrase.push(meant);
                    }
                    None => phrase.push('\\'),
                },
                other => phrase.push(other),
            }
        }
    }

    /// Up to the next space, or to a parenthesis that was not opened within it.
    fn word(&mut self) -> String {
        let start = self.at;
        let mut open = 0usize;
        while let Some(next) = self.peek() {
            match next {
                '(' => open += 1,
                ')' if open == 0 => break,
                ')' => open -= 1,
                c if c.is_whitespace() => break,
                _ => {}
            }
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    /// A field with its operator and value; `None` leaves everything where it was.
    fn comparison(&mut self) -> Read<Option<Search>> {
        let start = self.at;
        let Some((name, field, sign)) = self.field() else {
            self.at = start;
            return Ok(None);
        };
        let value = match self.peek() {
            Some('"') => Value {
                text: self.phrase()?,
                is_quoted: true,
            },
            _ => Value {
                text: self.word(),
                is_quoted: false,
            },
        };
        // `error: it broke` is what a log says.
        if value.text.is_empty() {
            self.at = start;
            return Ok(None);
        }
        match term((&name, field), sign, value) {
            Ok((term, false)) => Ok(Some(Search::Term(term))),
            Ok((term, true)) => Ok(Some(Search::Not(Box::new(Search::Term(term))))),
            Err(problem) => self.fail(start, problem),
        }
    }

    fn field(&mut self) -> Option<(String, Field, Sign)> {
        let rest = &self.chars[self.at..];
        let is_of_name = |c: &char| !c.is_whitespace() && !":<>=!\"()".contains(*c);
        let length = rest.iter().take_while(|c| is_of_name(c)).count();
        let name: String = rest[..length].iter().collect();
        let field = Field::from_name(&name)?;
        let signs: String = rest[length..].iter().take(2).collect();
        let compare = |sign: &str| Compare::from_sign(sign).map(Sign::Compare);
        let (sign, width) = match signs.as_str() {
            two @ ("<=" | ">=" | "!=") => (compare(two)?, 2),
            other if other.starts_with(':') => (Sign::Colon, 1),
            other => (compare(other.get(..1)?)?, 1),
        };
        self.at += length + width;
        Some((name, field, sign))
    }

    /// A word that looks like a comparison with a field that there is not.
    fn note_unknown_field(&mut self, word: &str) {
        let Some((name, rest)) = word.split_once(':') else {
            return;
        };
        let is_name = name.len() > 1 && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
        let is_address = rest.is_empty() || rest.starts_with('/') || rest.starts_with(':');
        let known = Field::from_name(name).is_some();
        if is_name && !is_address && !known && !self.unknown_fields.iter().any(|n| n == name) {
            self.unknown_fields.push(name.to_owned());
        }
    }

    fn take_operator(&mut self, operator: &str) -> bool {
        let found = self.is_operator(operator);
        if found {
            self.at += operator.len();
            self.skip_space();
        }
        found
    }

    /// Whether a whole word in capitals stands here.
    fn is_operator(&self, operator: &str) -> bool {
        let rest = &self.chars[self.at..];
        let is_next = operator
            .chars()
            .eq(rest.iter().take(operator.len()).copied());
        let after = rest.get(operator.len());
        is_next && after.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')' | '"'))
    }

    /// The operator that the text ends with, and where it stands.
    fn last_operator(&self) -> (usize, &'static str) {
        let end = self.chars.iter().rposition(|c| !c.is_whitespace());
        let end = end.map_or(0, |last| last + 1);
        for operator in ["AND", "OR", "NOT"] {
            let start = end.saturating_sub(operator.len());
            if operator.chars().eq(self.chars[start..end].iter().copied()) {
                return (start, operator);
            }
        }
        (end, "AND")
    }

    fn ends_here(&self) -> bool {
        matches!(self.peek(), None | Some(')'))
    }

    fn deeper(&mut self, at: usize) -> Read<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(at, Problem::TooDeep);
        }
        Ok(())
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn fail<T>(&self, at: usize, problem: Problem) -> Read<T> {
        Err(SearchError { at, problem })
    }
}

fn one_or(mut those: Vec<Search>, together: fn(Vec<Search>) -> Search) -> Search {
    match those.len() {
        1 => those.swap_remove(0),
        _ => together(those),
    }
}
