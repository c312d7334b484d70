//! Where one is signed in, and the end of it: without a browser.

use reqwest::StatusCode;
use tests::shared;

use super::headers::Visitor;
use super::tenancy::{add_member, between};

fn of_row(page: &str, mark: &str) -> String {
    let table = page.split_once("id=\"sign-ins\"").unwrap().1;
    let mut rows = table.split("<tr>");
    rows.find(|row| row.contains(mark)).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_sees_where_one_is_signed_in_and_ends_it_there() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let (email, password) = add_member(&mut owner, &project, "several-devices").await;
    let account = format!("{project}/account");
    let mut here = Visitor::signed_in_as(&email, password).await;
    let there = Visitor::signed_in_as(&email, password).await;
    let third = Visitor::signed_in_as(&email, password).await;

    let page = here.read(&account).await;
    assert_eq!(page.matches("/sign-ins/end\"").count(), 2, "{page}");
    let this = of_row(&page, "this one");
    assert!(this.contains("127.0.0.1") && !this.contains("/sign-ins/end\""));
    let other = of_row(&page, "/sign-ins/end\"");
    let id = between(&other, "name=\"id\"", ("value=\"", "\""));

    // Nobody ends what is another's.
    owner.read(&account).await;
    let end = format!("{account}/sign-ins/end");
    let form = [("_csrf", owner.csrf.as_str()), ("id", &id)];
    let answer = owner.post(&end, &form).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);

    let form = [("_csrf", here.csrf.as_str()), ("id", &id)];
    assert_eq!(here.post(&end, &form).await.status(), StatusCode::SEE_OTHER);
    let mut left = Vec::new();
    for visitor in [&there, &third] {
        left.push(visitor.get(&account).await.status());
    }
    left.sort();
    assert_eq!(left, [StatusCode::OK, StatusCode::SEE_OTHER]);

    let form = [("_csrf", here.csrf.as_str())];
    let others = format!("{account}/sign-ins/end-others");
    let answer = here.post(&others, &form).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    for visitor in [&there, &third] {
        assert_eq!(visitor.get(&account).await.status(), StatusCode::SEE_OTHER);
    }
    let page = here.read(&account).await;
    assert!(page.contains("this one") && !page.contains("/sign-ins/end"));
    let log = owner
        .read(&format!("{project}/settings/audit-log?of=organisation"))
        .await;
    assert!(log.contains("sign_in.ended"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_ends_the_sessions_of_a_member_and_who_is_removed_gets_no_further() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let (email, password) = add_member(&mut owner, &project, "leaves").await;
    let account = format!("{project}/account");
    let person = Visitor::signed_in_as(&email, password).await;
    assert_eq!(person.get(&account).await.status(), StatusCode::OK);

    let members = owner.read(&format!("{project}/settings/members")).await;
    let id = between(&members, &email, ("/members/", "/"));
    let form = [("_csrf", owner.csrf.as_str())];
    let path = format!("{project}/settings/members/{id}");
    let answer = owner.post(&format!("{path}/sign-out"), &form).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(person.get(&account).await.status(), StatusCode::SEE_OTHER);

    let person = Visitor::signed_in_as(&email, password).await;
    assert_eq!(person.get(&account).await.status(), StatusCode::OK);
    let answer = owner.post(&format!("{path}/remove"), &form).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let traces = format!("{project}/traces");
    assert_eq!(person.get(&traces).await.status(), StatusCode::NOT_FOUND);
    // Nor are their sign-ins the organisation's to end any more.
    let answer = owner.post(&format!("{path}/sign-out"), &form).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn session_and_token_are_new_after_a_sign_in_and_after_another_password() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let (email, password) = add_member(&mut owner, &project, "renews").await;
    let account = format!("{project}/account");
    let mut person = Visitor::at(std::net::Ipv4Addr::LOCALHOST).await;
    let mut seen = vec![(person.cookie().to_owned(), person.csrf.clone())];
    person = person.who_signs_in(&email, password).await;
    person.read(&account).await;
    seen.push((person.cookie().to_owned(), person.csrf.clone()));
    let elsewhere = Visitor::signed_in_as(&email, password).await;

    let form = [
        ("_csrf", person.csrf.as_str()),
        ("old", password),
        ("password", "quite another one 8"),
    ];
    let answer = person.post(&account, &form).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    // The cookie of before is worth nothing.
    assert_eq!(person.get(&account).await.status(), StatusCode::SEE_OTHER);
    person.keep_cookie(&answer);
    let page = person.read(&account).await;
    assert!(page.contains("this one") && !page.contains("/sign-ins/end"));
    seen.push((person.cookie().to_owned(), person.csrf.clone()));
    assert_eq!(
        elsewhere.get(&account).await.status(),
        StatusCode::SEE_OTHER
    );
    for (at, (cookie, token)) in seen.iter().enumerate() {
        for (other_cookie, other_token) in &seen[..at] {
            assert_ne!(cookie, other_cookie);
            assert_ne!(token, other_token);
        }
    }
}
