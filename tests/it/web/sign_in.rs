use tests::shared;

use super::Browser;

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
    browser.path_contains("/traces").await;

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
