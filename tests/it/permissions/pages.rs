//! People, and the pages.

use reqwest::{Response, StatusCode};
use tests::{Server, shared};

use super::{Line, NOTHING, filled, lines, same_routes};
use crate::web::headers::Visitor;

const TABLE: &str = include_str!("pages.txt");

/// In the order of the table's letters.
const ROLES: [&str; 6] = ["owner", "admin", "member", "viewer", "annotator", "auditor"];

/// Makes somebody a member of the owner's organisation, and signs them in.
pub(super) async fn somebody(owner: &mut Visitor, project: &str, role: &str) -> Visitor {
    let path = format!("{project}/settings/members");
    owner.read(&path).await;
    // Of no name that begins as others do: mentions are completed from the members of the organisation.
    let email = format!("{}-{role}@example.com", rand::random::<u32>());
    let password = "stands before every door 7";
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("email", &email),
        ("role", role),
        ("password", password),
    ];
    let answer = owner.post(&path, &form).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{role}");
    let mut somebody = Visitor::signed_in_as(&email, password).await;
    somebody.read(&format!("{project}/account")).await;
    assert!(!somebody.csrf.is_empty(), "{role}");
    somebody
}

/// A project that only this test changes, in the organisation of the first owner.
pub(super) async fn project_of_its_own(owner: &mut Visitor) -> String {
    let first = owner.project().await;
    let path = format!("{first}/settings/projects");
    owner.read(&format!("{first}/settings")).await;
    let name = format!("doors {}", rand::random::<u32>());
    let form = [("_csrf", owner.csrf.as_str()), ("name", &name)];
    let answer = owner.post(&path, &form).await;
    let location = answer.headers()["location"].to_str().unwrap();
    let id = location.split('/').nth(2).unwrap();
    format!("/p/{id}")
}

async fn ask(who: &Visitor, line: &Line<'_>, project: &str) -> Response {
    let (_, id) = project.rsplit_once('/').unwrap();
    let path = filled(&line.path.replace("{project}", id));
    match line.method {
        "GET" => who.get(&path).await,
        _ => {
            let form = [("_csrf", who.csrf.as_str()), ("role", "viewer")];
            who.post(&path, &form).await
        }
    }
}

/// Whether somebody who has not signed in is led to do so.
fn is_led_to_sign_in(answer: &Response) -> bool {
    let location = answer.headers().get("location");
    let to_sign_in = location.is_some_and(|to| to.to_str().unwrap().starts_with("/sign-in"));
    answer.status() == StatusCode::UNAUTHORIZED || to_sign_in
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_lets_in_whom_the_table_names_and_nobody_else() {
    let table = lines(TABLE);
    let routes = web::routes::all().map(|page| (page.method.to_owned(), page.path.to_owned()));
    same_routes(&table, routes.collect());
    let server: &Server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = project_of_its_own(&mut owner).await;
    let mut people = Vec::new();
    for role in ROLES {
        people.push((role, somebody(&mut owner, &project, role).await));
    }
    let nobody = Visitor::at(std::net::Ipv4Addr::LOCALHOST).await;
    let elsewhere = server.new_organisation().project.project_id.clone();
    let elsewhere = format!("/p/{}", elsewhere.unwrap());
    let mut wrong = Vec::new();
    // The one ends the session that asks, the other says of itself that nobody is signed in.
    let doors = [("POST", "/sign-out"), ("POST", "/sign-in")];
    for line in table
        .iter()
        .filter(|line| !doors.contains(&(line.method, line.path)))
    {
        let mut told = |who: &str, expected: &str, answer: &Response| {
            let (method, path, status) = (line.method, line.path, answer.status());
            wrong.push(format!("{method} {path}: {who}: {expected}, is {status}"));
        };
        let answer = ask(&nobody, line, &project).await;
        match (line.cells, is_led_to_sign_in(&answer)) {
            ("anybody", true) => told("nobody", "let in", &answer),
            ("anybody", false) => continue,
            (_, false) => told("nobody", "led to sign in", &answer),
            (_, true) => {}
        }
        for (at, (role, person)) in people.iter().enumerate() {
            let answer = ask(person, line, &project).await;
            let is_let_in = line.cells == "person" || line.cells.as_bytes()[at] != b'-';
            let is_refused = answer.status() == StatusCode::FORBIDDEN || is_led_to_sign_in(&answer);
            if is_refused == is_let_in {
                told(role, if is_let_in { "let in" } else { "403" }, &answer);
            }
            if line.cells != "person" {
                let answer = ask(person, line, &elsewhere).await;
                if answer.status() != StatusCode::NOT_FOUND {
                    told(role, "404 in another project", &answer);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn annotators_and_auditors_see_a_way_to_what_they_may_see_and_no_other() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = project_of_its_own(&mut owner).await;
    for (role, sees, lacks) in [
        (
            "annotator",
            ["/queues\"", "/account\""].as_slice(),
            ["/traces\"", "/settings", "/overview\"", "role=\"search\""].as_slice(),
        ),
        (
            "auditor",
            &[
                "/settings/audit-log\"",
                "/settings/deletions\"",
                "/settings/masking\"",
                "/settings/members\"",
            ],
            &[
                "/traces\"",
                "/queues\"",
                "/settings/keys\"",
                "role=\"search\"",
            ],
        ),
    ] {
        let mut person = somebody(&mut owner, &project, role).await;
        let page = person.read(&format!("{project}/account")).await;
        for way in sees {
            assert!(page.contains(&format!("{project}{way}")), "{role}: {way}");
        }
        for way in lacks {
            let way = match way.starts_with('/') {
                true => format!("href=\"{project}{way}"),
                false => (*way).to_owned(),
            };
            assert!(!page.contains(&way), "{role}: {way}");
        }
        // Where they begin is a page that lets them in.
        let home = person.get("/").await;
        let home = home.headers()["location"].to_str().unwrap().to_owned();
        assert_eq!(person.get(&home).await.status(), StatusCode::OK, "{home}");
        assert_ne!(home, NOTHING);
    }
}
