//! Somebody who is signed in and opens pages.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use domain::ProjectId;
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};

use crate::server::{EMAIL, PASSWORD, Server};

/// Somebody who is signed in.
pub(crate) struct Visitor {
    client: reqwest::Client,
    base: String,
    cookie: String,
    /// Their project.
    pub(crate) project: ProjectId,
}

impl Visitor {
    /// Signs in as the first owner.
    pub(crate) async fn sign_in(server: &Server) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let base = server.url.clone();
        let form = client.get(format!("{base}/sign-in")).send().await?;
        let cookie = cookie(&form).context("the form of sign-in sets no cookie")?;
        let page = form.text().await?;
        let token = page.split(r#"name="_csrf" value=""#).nth(1);
        let token = token.and_then(|rest| rest.split('"').next());
        let token = token.context("the form of sign-in has no token")?;
        let body = format!(
            "_csrf={token}&email={}&password={PASSWORD}",
            EMAIL.replace('@', "%40")
        );
        let request = client.post(format!("{base}/sign-in")).body(body);
        let answer = request
            .header(COOKIE, &cookie)
            .header("content-type", "application/x-www-form-urlencoded")
            .send()
            .await?;
        let status = answer.status();
        ensure!(status.is_redirection(), "sign-in was answered {status}");
        let cookie = self::cookie(&answer).unwrap_or(cookie);
        let home = client.get(format!("{base}/")).header(COOKIE, &cookie);
        let home = home.send().await?;
        let home = home.headers().get(LOCATION).context("there is no home")?;
        let project = home.to_str()?.split('/').nth(2);
        let project = project.context("the home is of no project")?.parse()?;
        Ok(Visitor {
            client,
            base,
            cookie,
            project,
        })
    }

    /// Opens a page of the project, whole; how long that took.
    pub(crate) async fn open(&self, path: &str) -> anyhow::Result<Duration> {
        let url = format!("{}/p/{}{path}", self.base, self.project);
        let begun = Instant::now();
        let answer = self.client.get(url).header(COOKIE, &self.cookie);
        let answer = answer.send().await?;
        let status = answer.status();
        ensure!(status.is_success(), "{path} was answered {status}");
        answer.bytes().await?;
        Ok(begun.elapsed())
    }
}

/// The session, where an answer sets it.
fn cookie(answer: &reqwest::Response) -> Option<String> {
    let all = answer.headers().get_all(SET_COOKIE).iter();
    let mut all = all.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    let session = all.find(|cookie| cookie.starts_with("triaxis_session="));
    session.map(str::to_owned)
}
