use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use tests::{binary, shared};

use super::Browser;

const FIRST: &str = "the first password";

/// A member with an account of their own, made by the owner in a project of its own.
async fn new_person(name: &str) -> String {
    let (browser, _client) = Browser::in_new_project(name).await;
    browser.click(".tabs a:nth-child(3)").await;
    let email = format!("{name}-{}@example.org", std::process::id());
    browser.fill("#email", &email).await;
    browser.fill("#password", FIRST).await;
    browser.submit("#password").await;
    browser.says("tbody", &email).await;
    browser.close().await;
    email
}

async fn signed_in(email: &str, password: &str) -> Browser {
    let browser = Browser::open().await;
    browser.go("/").await;
    browser.fill("#email", email).await;
    browser.fill("#password", password).await;
    browser.submit("#password").await;
    browser.path_contains("/overview").await;
    // A page that does not watch: what a session that ended is refused there would be a complaint.
    let account = browser.path().await.replace("/overview", "/account");
    browser.go(&account).await;
    browser
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_changes_their_password_and_sessions_elsewhere_end() {
    let email = new_person("changer").await;
    let here = signed_in(&email, FIRST).await;
    let elsewhere = signed_in(&email, FIRST).await;

    here.click(".person summary").await;
    here.click(".person a[href$='/account']").await;
    here.fill("#old", "not the password").await;
    here.fill("#password", "the second password").await;
    here.submit("#password").await;
    here.says("#old-err", "that is not your password").await;
    here.expect_complaint("422").await;

    here.fill("#old", FIRST).await;
    here.fill("#password", "the second password").await;
    here.submit("#password").await;
    here.path_contains("changed=1").await;
    here.says("[role=status]", "Your password is changed").await;

    elsewhere.go("/").await;
    elsewhere.path_contains("/sign-in").await;
    here.go("/").await;
    here.path_contains("/overview").await;
    signed_in(&email, "the second password").await.close().await;
    elsewhere.close().await;
    here.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_passwords_run_out_on_the_account_page_too() {
    let email = new_person("guesser").await;
    let browser = signed_in(&email, FIRST).await;
    browser.click(".person summary").await;
    browser.click(".person a[href$='/account']").await;
    // Tries come back with time: how many there are depends on how slow this machine is.
    let alert = "return document.querySelector('[role=alert]')?.textContent ?? ''";
    for tries in 0.. {
        assert!(tries < 40, "guessing is not bounded");
        browser.fill("#old", "not the password").await;
        browser.fill("#password", "the second password").await;
        let mark = "document.body.dataset.answered = ''";
        browser.run(mark, Vec::new()).await;
        browser.submit("#password").await;
        let answer = "body:not([data-answered]) :is([role=alert], #old-err)";
        browser.find(answer).await;
        let said = browser.run(alert, Vec::new()).await;
        if said
            .as_str()
            .is_some_and(|said| said.contains("Too many tries"))
        {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_resets_a_forgotten_password_and_its_sessions_end() {
    let email = new_person("forgetful").await;
    let browser = signed_in(&email, FIRST).await;
    let made_up = reset(&[&email], "").await.unwrap();
    browser.go("/").await;
    browser.path_contains("/sign-in").await;
    browser.close().await;
    signed_in(&email, &made_up).await.close().await;

    let given = reset(&[&email, "--password-stdin"], "a password of my choice\n")
        .await
        .unwrap();
    assert_eq!(given, "a password of my choice");
    signed_in(&email, &given).await.close().await;

    let complaint = reset(&["nobody@example.org"], "").await.unwrap_err();
    assert!(complaint.contains("nobody has the e-mail"), "{complaint}");
    let complaint = reset(&[&email, "--password-stdin"], "short\n")
        .await
        .unwrap_err();
    assert!(complaint.contains("at least 8 characters"), "{complaint}");
}

/// The password that `admin reset-password` prints, or what it complains of.
async fn reset(arguments: &[&str], input: &str) -> Result<String, String> {
    let server = shared().await;
    let mut command = Command::new(binary())
        .args(["admin", "reset-password"])
        .args(arguments)
        .arg("--data-dir")
        .arg(server.data_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = command.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = command.wait_with_output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    Ok(printed["password"].as_str().unwrap().to_owned())
}
