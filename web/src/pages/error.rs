//! What went wrong, as a page that offers a way on.

use askama::Template;
use domain::Code;

use crate::choices::Choices;
use crate::i18n::{Lang, text};
use crate::layout::Shell;
use crate::urls;

/// What went wrong.
#[derive(Template)]
#[template(path = "error.html")]
pub(crate) struct ErrorPage {
    shell: Shell,
    title: &'static str,
    message: String,
    ways: Vec<(String, String)>,
}

impl ErrorPage {
    /// For a fault at a path.
    pub(crate) fn new(choices: &Choices, code: Code, message: &str, path: &str) -> Self {
        let shell = Shell::new(choices, "", path);
        let title = shell.t(title(code));
        let ways = ways(shell.lang, path);
        ErrorPage {
            shell,
            title,
            message: message.to_owned(),
            ways,
        }
    }
}

fn title(code: Code) -> &'static str {
    match code {
        Code::Invalid | Code::Unsupported => text!("This address makes no sense"),
        Code::Unauthenticated => text!("Sign in first"),
        Code::Forbidden => text!("Your role may not do that"),
        Code::NotFound => text!("There is nothing here"),
        Code::Conflict => text!("That clashes with what is there"),
        Code::Unprocessable => text!("There is too little for that"),
        Code::TooLarge => text!("That is too large"),
        Code::TooMany => text!("Too many tries"),
        Code::Unavailable => text!("Not available right now"),
        Code::Timeout => text!("That took too long"),
        Code::Internal => text!("Something went wrong on our side"),
    }
}

/// The list of the project that the path lies in, and the way in.
fn ways(lang: Lang, path: &str) -> Vec<(String, String)> {
    let mut ways = Vec::new();
    let project = path
        .strip_prefix("/p/")
        .and_then(|rest| rest.split('/').next()?.parse().ok());
    if let Some(project) = project {
        if path.starts_with(&urls::settings(project)) {
            ways.push((lang.t("Settings").to_owned(), urls::settings(project)));
        }
        ways.push((
            lang.t("Traces of this project").to_owned(),
            urls::traces_home(project),
        ));
    }
    // Where clients of Langfuse lead to: a member who has not signed in finds nothing there.
    if path.starts_with("/project/") {
        ways.push((lang.t("Sign in").to_owned(), urls::sign_in(path)));
    }
    ways.push((lang.t("Your projects").to_owned(), urls::HOME.to_owned()));
    ways
}
