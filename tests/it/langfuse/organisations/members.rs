//! Members of an organisation and of its projects.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{ask, done, provision};
use crate::web::headers::Visitor;

const MEMBERSHIPS: &str = "/organizations/memberships";

fn of<'v>(list: &'v Value, person: &str) -> Option<&'v Value> {
    let mut all = list["memberships"].as_array().unwrap().iter();
    all.find(|member| member["userId"] == person)
}

#[tokio::test]
async fn members_are_listed_changed_and_removed() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let (person, email) = provision(client, "ada", "MEMBER").await;
    let list = done(client, (Method::GET, MEMBERSHIPS), None, StatusCode::OK).await;
    let ada = json!({ "userId": person, "role": "MEMBER", "email": email, "name": "ada" });
    assert_eq!(of(&list, &person), Some(&ada));

    let role = json!({ "userId": person, "role": "ADMIN" });
    let changed = done(
        client,
        (Method::PUT, MEMBERSHIPS),
        Some(&role),
        StatusCode::OK,
    )
    .await;
    assert_eq!(changed["role"], "ADMIN");
    let whom = json!({ "userId": person });
    for _ in 0..2 {
        let gone = done(
            client,
            (Method::DELETE, MEMBERSHIPS),
            Some(&whom),
            StatusCode::OK,
        )
        .await;
        assert_eq!(gone["userId"], person.as_str(), "it may be repeated");
    }
    // Whoever has an account may come back.
    let back = done(
        client,
        (Method::PUT, MEMBERSHIPS),
        Some(&role),
        StatusCode::OK,
    )
    .await;
    assert_eq!(back["email"], email.as_str());

    let nobody = json!({ "userId": "nobody", "role": "MEMBER" });
    let answer = ask(client, Method::PUT, MEMBERSHIPS, Some(&nobody)).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    for wrong in [
        json!({ "userId": person, "role": "admin" }),
        json!({ "userId": person }),
        json!({ "role": "ADMIN" }),
    ] {
        let answer = ask(client, Method::PUT, MEMBERSHIPS, Some(&wrong)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(answer.body["details"].is_array(), "{}", answer.body);
    }
}

#[tokio::test]
async fn only_an_owners_key_makes_owners_and_the_last_one_stays() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let owners = &organisation.client;
    let admins = server.new_organisation_key(&organisation.id, "admin");
    let (person, _) = provision(owners, "grace", "ADMIN").await;
    let owner = json!({ "userId": person, "role": "OWNER" });
    let refused = ask(&admins, Method::PUT, MEMBERSHIPS, Some(&owner)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    done(
        owners,
        (Method::PUT, MEMBERSHIPS),
        Some(&owner),
        StatusCode::OK,
    )
    .await;
    let lower = json!({ "userId": person, "role": "VIEWER" });
    for (client, expected) in [
        (&admins, StatusCode::CONFLICT),
        (owners, StatusCode::CONFLICT),
    ] {
        let answer = ask(client, Method::PUT, MEMBERSHIPS, Some(&lower)).await;
        assert_eq!(answer.status, expected, "{}", answer.body);
        let answer = ask(client, Method::DELETE, MEMBERSHIPS, Some(&lower)).await;
        assert_eq!(answer.status, expected, "{}", answer.body);
    }
    provision(owners, "second", "OWNER").await;
    let refused = ask(&admins, Method::PUT, MEMBERSHIPS, Some(&lower)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    done(
        owners,
        (Method::PUT, MEMBERSHIPS),
        Some(&lower),
        StatusCode::OK,
    )
    .await;
}

#[tokio::test]
async fn a_role_in_a_project_goes_before_that_in_the_organisation_and_no_further() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let project = organisation.project.project_id.clone().unwrap();
    let path = format!("/projects/{project}/memberships");
    let (person, email) = provision(client, "lin", "NONE").await;
    let reset = server.admin(&["reset-password", &email]);
    let password = reset["password"].as_str().unwrap();

    let mut lin = Visitor::signed_in_as(&email, password).await;
    let page = format!("/p/{project}/settings");
    assert_eq!(lin.get(&page).await.status(), StatusCode::NOT_FOUND);
    let admin = json!({ "userId": person, "role": "ADMIN" });
    let set = done(client, (Method::PUT, &path), Some(&admin), StatusCode::OK).await;
    assert_eq!(set["email"], email.as_str());
    let list = done(client, (Method::GET, &path), None, StatusCode::OK).await;
    assert_eq!(of(&list, &person).unwrap()["role"], "ADMIN");

    // An admin of the project, and nobody in the organisation.
    assert!(lin.read(&page).await.contains("name=\"name\""));
    let form = [("_csrf", lin.csrf.as_str()), ("name", "renamed by lin")];
    let renamed = lin.post(&format!("{page}/name"), &form).await;
    assert_eq!(renamed.status(), StatusCode::SEE_OTHER);
    let members = format!("{page}/members");
    assert_eq!(lin.get(&members).await.status(), StatusCode::FORBIDDEN);
    let form = [
        ("_csrf", lin.csrf.as_str()),
        ("email", "friend@example.org"),
        ("role", "owner"),
        ("password", "a long enough password"),
        ("name", "another of lin"),
    ];
    for path in [members, format!("{page}/projects")] {
        let answer = lin.post(&path, &form).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
    }

    let whom = json!({ "userId": person });
    for _ in 0..2 {
        done(client, (Method::DELETE, &path), Some(&whom), StatusCode::OK).await;
    }
    assert_eq!(lin.get(&page).await.status(), StatusCode::NOT_FOUND);
    let nobody = json!({ "userId": uuid::Uuid::now_v7(), "role": "ADMIN" });
    let answer = ask(client, Method::PUT, &path, Some(&nobody)).await;
    assert_eq!(
        answer.status,
        StatusCode::NOT_FOUND,
        "members of the organisation only"
    );
}

#[tokio::test]
async fn an_admins_key_takes_no_owner_out_of_a_project_and_makes_none_there() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let owners = &organisation.client;
    let admins = server.new_organisation_key(&organisation.id, "admin");
    let project = organisation.project.project_id.clone().unwrap();
    let path = format!("/projects/{project}/memberships");
    let (owner, email) = provision(owners, "owner", "OWNER").await;
    let (other, _) = provision(owners, "other", "MEMBER").await;
    let reset = server.admin(&["reset-password", &email]);
    let signed_in = Visitor::signed_in_as(&email, reset["password"].as_str().unwrap()).await;
    let page = format!("/p/{project}/settings");

    let refused = async |method: Method, body: Value| {
        let answer = ask(&admins, method, &path, Some(&body)).await;
        assert_eq!(
            answer.status,
            StatusCode::FORBIDDEN,
            "{body}: {}",
            answer.body
        );
        assert_eq!(
            signed_in.get(&page).await.status(),
            StatusCode::OK,
            "{body}"
        );
    };
    for role in [
        "OWNER",
        "ADMIN",
        "MEMBER",
        "VIEWER",
        "ANNOTATOR",
        "AUDITOR",
        "NONE",
    ] {
        refused(Method::PUT, json!({ "userId": owner, "role": role })).await;
    }
    refused(Method::DELETE, json!({ "userId": owner })).await;
    refused(Method::PUT, json!({ "userId": other, "role": "OWNER" })).await;

    // An owner of the project alone is one, too.
    let made = json!({ "userId": other, "role": "OWNER" });
    done(owners, (Method::PUT, &path), Some(&made), StatusCode::OK).await;
    refused(Method::PUT, json!({ "userId": other, "role": "NONE" })).await;
    refused(Method::DELETE, json!({ "userId": other })).await;
    let lower = json!({ "userId": other, "role": "MEMBER" });
    done(owners, (Method::PUT, &path), Some(&lower), StatusCode::OK).await;
    let lowest = json!({ "userId": other, "role": "VIEWER" });
    done(&admins, (Method::PUT, &path), Some(&lowest), StatusCode::OK).await;
}
