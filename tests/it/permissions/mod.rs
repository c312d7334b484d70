//! Who may send which request: every route, for every role and every kind of key, against the tables
//! beside this file. The routes come from the router's own tables, so that none can be forgotten.

/// Keys, and the routes of programs.
mod keys;
/// What keys that are limited or end may do beyond the door.
mod limited;
/// People, and the pages.
mod pages;

/// What stands where a path has a parameter: an id of nothing.
const NOTHING: &str = "01890000-0000-7000-8000-000000000000";

/// A line of a table: method, path, and who is let in.
struct Line<'a> {
    method: &'a str,
    path: &'a str,
    cells: &'a str,
}

fn lines(table: &str) -> Vec<Line<'_>> {
    let told = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    told.map(|line| {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_else(|| panic!("not a line: {line}"));
        Line {
            method: word(),
            path: word(),
            cells: word(),
        }
    })
    .collect()
}

/// The path with something in the place of each parameter.
fn filled(path: &str) -> String {
    let mut filled = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        filled += before;
        filled += NOTHING;
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    filled + rest
}

/// Fails with what differs: routes that are in one of the lists only.
fn same_routes(table: &[Line<'_>], mut routes: Vec<(String, String)>) {
    let mut told: Vec<(String, String)> = table
        .iter()
        .map(|line| (line.method.to_owned(), line.path.to_owned()))
        .collect();
    told.sort();
    routes.sort();
    routes.dedup();
    let missing: Vec<_> = routes.iter().filter(|one| !told.contains(one)).collect();
    let gone: Vec<_> = told.iter().filter(|one| !routes.contains(one)).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "the table lacks {missing:?}, and has {gone:?} that are no routes"
    );
}
