use std::net::Ipv4Addr;

use reqwest::StatusCode;
use tests::shared;

use super::Browser;
use super::headers::Visitor;

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_where_they_were_going_and_signs_out() {
    let (server, browser) = (shared().await, Browser::open().await);
    browser.go("/?from=bookmark").await;
    browser
        .path_contains("/sign-in?next=%2F%3Ffrom%3Dbookmark")
        .await;

    browser.fill("#email", server.email()).await;
    browser.fill("#password", server.password()).await;
    browser.submit("#password").await;
    browser.path_contains("/overview").await;

    browser.click(".person summary").await;
    browser.click("form[action='/sign-out'] button").await;
    browser.path_contains("/sign-in").await;
    browser.go("/").await;
    browser.path_contains("/sign-in").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn language_and_theme_are_chosen_and_kept_before_anybody_signs_in() {
    let browser = Browser::open().await;
    browser.go("/sign-in").await;
    browser.says("button.btn-primary", "Sign in").await;
    browser.click("details.pop summary").await;
    browser.click("details.pop a[href*='lang=zh']").await;
    browser.says("button.btn-primary", "登录").await;
    browser.click("[data-theme-switch]").await;
    browser.find("html[data-theme='light']").await;
    browser.click("[data-theme-switch]").await;
    browser.go("/sign-in").await;
    browser.find("html[data-theme='dark'][lang='zh']").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_who_fail_for_an_address_do_not_keep_its_person_out() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let members = format!("{}/settings/members", owner.project().await);
    owner.read(&members).await;
    let email = format!("attacked-{}@example.com", std::process::id());
    let password = "known to one person 7";
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("email", &email),
        ("role", "viewer"),
        ("password", password),
    ];
    owner.post(&members, &form).await;
    for stranger in [2, 3] {
        let stranger = Visitor::at(Ipv4Addr::new(127, 0, 9, stranger)).await;
        let mut tries = 0;
        let refused = loop {
            let answer = stranger.try_to_sign_in(&email, "a wrong password").await;
            if answer.status() == StatusCode::TOO_MANY_REQUESTS {
                break answer;
            }
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
            tries += 1;
            assert!(tries < 20, "guessing is not bounded");
        };
        assert!(refused.text().await.unwrap().contains("Too many tries"));
        // Nor does the right password help where so many were wrong.
        let right = stranger.try_to_sign_in(&email, password).await;
        assert_eq!(right.status(), StatusCode::TOO_MANY_REQUESTS);
    }
    Visitor::signed_in_as(&email, password).await;
}
