//! Every form carries the token of the session.

use reqwest::StatusCode;

use super::tenancy::{of_a_project, victim};

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_the_sessions_token_is_refused_on_every_page() {
    let victim = victim().await;
    let posts: Vec<_> = of_a_project().filter(|it| it.method == "POST").collect();
    assert!(posts.len() >= 50, "only {} forms were found", posts.len());
    for page in posts {
        let path = victim.path(page.path);
        // Files come in parts, and are refused before their token is looked for.
        let expected = match page.path.ends_with("/import") {
            true => StatusCode::BAD_REQUEST,
            false => StatusCode::FORBIDDEN,
        };
        for token in ["", "guessed"] {
            let answer = victim.owner.post(&path, &[("_csrf", token)]).await;
            assert_eq!(answer.status(), expected, "{path}");
        }
    }
}
