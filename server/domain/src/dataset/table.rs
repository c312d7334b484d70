//! Files of rows, and what of an item each column is.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::{ItemDraft, ItemStatus, SheetForm, cell};
use crate::fault::Fault;
use crate::span::named_enum;

/// Most rows of a file.
pub const MAX_ROWS: usize = 20_000;
/// Most columns of a file.
pub const MAX_COLUMNS: usize = 100;
/// What may part the cells of a row: the first that parts those of the header most often does.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// A file, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the columns, each once.
    pub columns: Vec<String>,
    /// Rows, each with as many values.
    pub rows: Vec<Vec<Value>>,
}

named_enum!(
    /// What of an item a column is.
    Role, default Nothing {
        /// It is left out.
        Nothing = "nothing",
        /// The input, or a part of it.
        Input = "input",
        /// The expected output, or a part of it.
        ExpectedOutput = "expected_output",
        /// The metadata, or a part of it.
        Metadata = "metadata",
        /// Whether runs take it: `ACTIVE` or `ARCHIVED`.
        Status = "status",
    }
);

/// What each column of a table is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping(pub Vec<Role>);

impl Table {
    /// From the bytes of a file.
    ///
    /// # Errors
    /// `invalid`, with the line or the column, when it is not in that form, has no rows, too many, or a name
    /// twice.
    pub fn read(form: SheetForm, bytes: &[u8]) -> Result<Self, Fault> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Fault::invalid("the file is not in UTF-8: save it as UTF-8"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.contains('\0') {
            return Err(Fault::invalid("the file holds NUL characters"));
        }
        let table = match form {
            SheetForm::Csv => of_csv(text)?,
            SheetForm::Jsonl => of_jsonl(text)?,
        };
        if table.rows.is_empty() {
            return Err(Fault::invalid("the file has no rows"));
        }
        Ok(table)
    }

    /// An item of each row.
    ///
    /// # Errors
    /// `invalid` with the row whose status is none.
    pub fn drafts(&self, mapping: &Mapping) -> Result<Vec<ItemDraft>, Fault> {
        let rows = self.rows.iter().enumerate();
        rows.map(|(at, row)| self.draft((at, row), mapping))
            .collect()
    }

    fn draft(&self, (at, row): (usize, &[Value]), mapping: &Mapping) -> Result<ItemDraft, Fault> {
        let of = |role: Role| {
            let mut cells = mapping.of(role).filter_map(|column| {
                let name = self.columns.get(column)?;
                Some((name.clone(), row.get(column)?.clone()))
            });
            match (cells.next(), cells.next()) {
                (None, _) => None,
                (Some((_, value)), None) => Some(value),
                (Some(first), Some(second)) => {
                    let all = [first, second].into_iter().chain(cells);
                    Some(Value::Object(all.collect::<Map<_, _>>()))
                }
            }
        };
        let status = match of(Role::Status) {
            None | Some(Value::Null) => None,
            Some(said) => {
                let known = said.as_str().and_then(ItemStatus::from_name);
                let wrong = || {
                    let row = at + 1;
                    Fault::invalid(format!("row {row}: a status is ACTIVE or ARCHIVED"))
                };
                Some(known.ok_or_else(wrong)?)
            }
        };
        Ok(ItemDraft {
            status,
            input: of(Role::Input),
            expected_output: of(Role::ExpectedOutput),
            metadata: of(Role::Metadata),
            ..ItemDraft::default()
        })
    }
}

impl Mapping {
    /// What columns of such names are likely to be.
    pub fn guess(columns: &[String]) -> Self {
        let role = |name: &String| {
            let name: String = name
                .chars()
                .filter(|char| char.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect();
            match name.as_str() {
                "input" | "inputs" | "question" | "prompt" | "query" => Role::Input,
                "expectedoutput" | "expected" | "output" | "answer" | "reference" | "target" => {
                    Role::ExpectedOutput
                }
                "metadata" => Role::Metadata,
                "status" => Role::Status,
                _ => Role::Nothing,
            }
        };
        Mapping(columns.iter().map(role).collect())
    }

    /// Columns of a role.
    fn of(&self, role: Role) -> impl Iterator<Item = usize> {
        let columns = self.0.iter().enumerate();
        columns.filter_map(move |(at, one)| (*one == role).then_some(at))
    }

    /// Whether an item gets an input or an expected output of it.
    pub fn says_something(&self) -> bool {
        self.0.contains(&Role::Input) || self.0.contains(&Role::ExpectedOutput)
    }
}

fn of_csv(text: &str) -> Result<Table, Fault> {
    let read = |separator| {
        let mut builder = csv::ReaderBuilder::new();
        builder.delimiter(separator).from_reader(text.as_bytes())
    };
    let width = |separator: u8| read(separator).headers().map_or(0, csv::StringRecord::len);
    // Of those that part as many the first: the order of the list.
    let separator = SEPARATORS.into_iter().rev().max_by_key(|one| width(*one));
    let mut reader = read(separator.unwrap_or(b','));
    let header = reader.headers().map_err(|error| wrong(&error))?;
    let columns: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    check_columns(&columns)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        if rows.len() == MAX_ROWS {
            return Err(too_many());
        }
        rows.push(
            record
                .map_err(|error| wrong(&error))?
                .iter()
                .map(cell::read)
                .collect(),
        );
    }
    Ok(Table { columns, rows })
}

fn check_columns(columns: &[String]) -> Result<(), Fault> {
    if columns.len() > MAX_COLUMNS {
        let message = format!("the file has more than {MAX_COLUMNS} columns");
        return Err(Fault::invalid(message));
    }
    let mut seen = BTreeSet::new();
    for (at, name) in columns.iter().enumerate() {
        if name.is_empty() {
            let message = format!("column {} has no name in the first row", at + 1);
            return Err(Fault::invalid(message));
        }
        if !seen.insert(name) {
            let message = format!("the column {name} is there twice: give it another name");
            return Err(Fault::invalid(message));
        }
    }
    Ok(())
}

fn of_jsonl(text: &str) -> Result<Table, Fault> {
    let mut columns: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        if rows.len() == MAX_ROWS {
            return Err(too_many());
        }
        let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
            Fault::invalid(format!("line {} is no JSON object: {error}", at + 1))
        })?;
        let mut row = vec![Value::Null; columns.len()];
        for (name, value) in object {
            let place = *places.entry(name).or_insert_with_key(|name| {
                columns.push(name.clone());
                columns.len() - 1
            });
            if place >= MAX_COLUMNS {
                let message = format!("the objects have more than {MAX_COLUMNS} different fields");
                return Err(Fault::invalid(message));
            }
            if place >= row.len() {
                row.resize(place + 1, Value::Null);
            }
            if let Some(cell) = row.get_mut(place) {
                *cell = value;
            }
        }
        rows.push(row);
    }
    let width = columns.len();
    for row in &mut rows {
        row.resize(width, Value::Null);
    }
    Ok(Table { columns, rows })
}

fn too_many() -> Fault {
    Fault::invalid(format!("the file has more than {MAX_ROWS} rows"))
}

fn wrong(error: &csv::Error) -> Fault {
    Fault::invalid(format!("the file is no table: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn csv(text: &str) -> Result<Table, Fault> {
        Table::read(SheetForm::Csv, text.as_bytes())
    }

    #[test]
    fn separators_line_ends_and_marks_are_those_that_spreadsheets_write() {
        let expected = csv("a,b\n\"x, y\",2\n").unwrap();
        assert_eq!(expected.columns, ["a", "b"]);
        assert_eq!(expected.rows, [[json!("x, y"), json!(2)]]);
        for same in [
            "a,b\r\n\"x, y\",2\r\n",
            "a;b\r\nx, y;2\r\n",
            "a\tb\nx, y\t2",
            "\u{feff}a,b\n\"x, y\",2\n",
        ] {
            assert_eq!(csv(same).unwrap(), expected, "{same:?}");
        }
        let one = csv("a\nx\n").unwrap();
        assert_eq!(one.rows, [[json!("x")]]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = |text: &str| csv(text).unwrap_err().message;
        assert!(said("a,b,a\n1,2,3\n").contains("the column a is there twice"));
        assert!(said("a,,c\n1,2,3\n").contains("column 2 has no name"));
        assert!(
            said("a,b\n1,2\n1\n").contains("line: 3"),
            "{}",
            said("a,b\n1,2\n1\n")
        );
        assert!(said("a,b\n").contains("no rows"));
        assert!(said("a\n\0\n").contains("NUL"));
        let wrong = Table::read(SheetForm::Csv, b"a\n\xff\n").unwrap_err();
        assert!(wrong.message.contains("UTF-8"));
        let wrong = Table::read(SheetForm::Jsonl, b"{\"a\":1}\n[1]\n").unwrap_err();
        assert!(wrong.message.contains("line 2"));
        let many = format!("a\n{}", "1\n".repeat(MAX_ROWS + 1));
        assert!(said(&many).contains("more than 20000 rows"));
    }

    #[test]
    fn lines_of_json_have_the_fields_of_any_of_them() {
        let text = "{\"b\":1}\n\n{\"a\":[2],\"b\":null}\n";
        let table = Table::read(SheetForm::Jsonl, text.as_bytes()).unwrap();
        assert_eq!(table.columns, ["b", "a"]);
        assert_eq!(
            table.rows,
            [[json!(1), json!(null)], [json!(null), json!([2])]]
        );
    }

    #[test]
    fn one_column_is_the_content_and_several_are_its_fields() {
        let table = csv("q,context,answer,status\nwhy,{},because,ARCHIVED\n").unwrap();
        let mapping = Mapping(vec![
            Role::Input,
            Role::Input,
            Role::ExpectedOutput,
            Role::Status,
        ]);
        let drafts = table.drafts(&mapping).unwrap();
        assert_eq!(drafts[0].input, Some(json!({"q": "why", "context": {}})));
        assert_eq!(drafts[0].expected_output, Some(json!("because")));
        assert_eq!(drafts[0].status, Some(ItemStatus::Archived));
        assert_eq!(drafts[0].metadata, None);
        let wrong = Mapping(vec![
            Role::Status,
            Role::Nothing,
            Role::Nothing,
            Role::Input,
        ]);
        assert!(table.drafts(&wrong).unwrap_err().message.contains("row 1"));
    }

    #[test]
    fn usual_names_are_guessed() {
        let names = ["id", "Input", "expectedOutput", "meta-data", "status", "x"];
        let columns: Vec<String> = names.map(str::to_owned).to_vec();
        assert_eq!(
            Mapping::guess(&columns).0,
            [
                Role::Nothing,
                Role::Input,
                Role::ExpectedOutput,
                Role::Metadata,
                Role::Status,
                Role::Nothing
            ]
        );
    }
}
