//! Members, as identity providers manage them.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{ask, done, provision};
use crate::web::headers::Visitor;

const USERS: &str = "/scim/Users";

fn is_scim_error(body: &Value, status: u16) -> bool {
    body["schemas"] == json!(["urn:ietf:params:scim:api:messages:2.0:Error"])
        && body["detail"].is_string()
        && body["status"] == status
}

#[tokio::test]
async fn what_a_provider_asks_first_is_told() {
    let organisation = shared().await.new_organisation();
    let client = &organisation.client;
    let get = async |path: &str| done(client, (Method::GET, path), None, StatusCode::OK).await;
    assert_eq!(
        get("/scim/ServiceProviderConfig").await["patch"]["supported"],
        true
    );
    assert_eq!(
        get("/scim/ResourceTypes").await["Resources"][0]["endpoint"],
        "/Users"
    );
    let schemas = get("/scim/Schemas").await;
    assert_eq!(
        schemas["Resources"][0]["id"],
        "urn:ietf:params:scim:schemas:core:2.0:User"
    );
}

#[tokio::test]
async fn a_person_is_provisioned_without_a_password_and_found_again() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let number = rand::random::<u32>();
    let email = format!("Ada-{number}@Example.org");
    let user = json!({
        "userName": email,
        "name": { "formatted": "Ada Lovelace" },
        "password": "given by the provider",
        "active": true,
    });
    let made = done(
        client,
        (Method::POST, USERS),
        Some(&user),
        StatusCode::CREATED,
    )
    .await;
    let email = email.to_lowercase();
    assert_eq!(made["userName"], email.as_str());
    assert_eq!(made["emails"][0]["value"], email.as_str());
    assert_eq!(made["name"]["formatted"], "Ada Lovelace");
    assert_eq!(made["roles"], json!(["NONE"]));
    let again = ask(client, Method::POST, USERS, Some(&user)).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(is_scim_error(&again.body, 409), "{}", again.body);

    let one = format!("{USERS}/{}", made["id"].as_str().unwrap());
    assert_eq!(
        done(client, (Method::GET, &one), None, StatusCode::OK).await,
        made
    );
    let filter = format!("{USERS}?filter=userName%20eq%20%22{email}%22");
    let found = done(client, (Method::GET, &filter), None, StatusCode::OK).await;
    assert_eq!(found["totalResults"], 1);
    assert_eq!(found["Resources"], json!([made]));

    // Neither the provider's password nor none lets anybody in.
    let visitor = Visitor::at(std::net::Ipv4Addr::LOCALHOST).await;
    for password in ["given by the provider", ""] {
        let answer = visitor.try_to_sign_in(&email, password).await;
        assert_ne!(answer.status(), StatusCode::SEE_OTHER, "{password}");
    }
    let reset = server.admin(&["reset-password", &email]);
    Visitor::signed_in_as(&email, reset["password"].as_str().unwrap()).await;
}

#[tokio::test]
async fn lists_come_in_pages_that_begin_with_one() {
    let organisation = shared().await.new_organisation();
    let client = &organisation.client;
    for name in ["a", "b", "c"] {
        provision(client, name, "VIEWER").await;
    }
    let get = async |query: &str| {
        let path = format!("{USERS}{query}");
        done(client, (Method::GET, &path), None, StatusCode::OK).await
    };
    let all = get("").await;
    assert_eq!(
        (&all["totalResults"], &all["startIndex"]),
        (&json!(3), &json!(1))
    );
    let page = get("?startIndex=2&count=1").await;
    assert_eq!(
        (&page["totalResults"], &page["itemsPerPage"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(page["Resources"][0], all["Resources"][1]);
    assert_eq!(get("?startIndex=9").await["Resources"], json!([]));
    for wrong in [
        "?filter=emails%20eq%20%22a%22",
        "?count=x",
        "?startIndex=-1",
    ] {
        let answer = ask(client, Method::GET, &format!("{USERS}{wrong}"), None).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(is_scim_error(&answer.body, 400), "{}", answer.body);
    }
}

#[tokio::test]
async fn people_are_switched_off_and_on_and_removed() {
    let organisation = shared().await.new_organisation();
    let client = &organisation.client;
    let (id, _) = provision(client, "ada", "MEMBER").await;
    let one = format!("{USERS}/{id}");
    let patch = |active: Value| {
        json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": [{ "op": "replace", "value": { "active": active } }],
        })
    };
    let off = done(
        client,
        (Method::PATCH, &one),
        Some(&patch(json!(false))),
        StatusCode::OK,
    )
    .await;
    assert_eq!(off["active"], false);
    let gone = ask(client, Method::GET, &one, None).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    assert!(is_scim_error(&gone.body, 404), "{}", gone.body);
    let on = done(
        client,
        (Method::PATCH, &one),
        Some(&patch(json!("True"))),
        StatusCode::OK,
    )
    .await;
    assert_eq!(
        (&on["active"], &on["roles"]),
        (&json!(true), &json!(["NONE"]))
    );

    let put = json!({ "userName": "ignored@example.org", "active": true, "roles": ["ADMIN"] });
    let set = done(client, (Method::PUT, &one), Some(&put), StatusCode::OK).await;
    assert_eq!(set["roles"], json!(["ADMIN"]));
    assert_ne!(set["userName"], "ignored@example.org");
    let wrong = json!({ "Operations": [{ "op": "add", "path": "emails", "value": "x" }] });
    let answer = ask(client, Method::PATCH, &one, Some(&wrong)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);

    done(client, (Method::DELETE, &one), None, StatusCode::OK).await;
    let again = ask(client, Method::DELETE, &one, None).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_last_owner_is_neither_removed_nor_switched_off_nor_made_less() {
    let organisation = shared().await.new_organisation();
    let client = &organisation.client;
    let (id, _) = provision(client, "owner", "OWNER").await;
    let one = format!("{USERS}/{id}");
    let off = json!({ "Operations": [{ "op": "replace", "value": { "active": false } }] });
    for (method, body) in [
        (Method::DELETE, None),
        (Method::PATCH, Some(off)),
        (Method::PUT, Some(json!({ "active": false }))),
        (Method::PUT, Some(json!({ "roles": ["VIEWER"] }))),
    ] {
        let answer = ask(client, method.clone(), &one, body.as_ref()).await;
        assert_eq!(
            answer.status,
            StatusCode::FORBIDDEN,
            "{method}: {}",
            answer.body
        );
        assert!(is_scim_error(&answer.body, 403), "{}", answer.body);
    }
    let still = done(client, (Method::GET, &one), None, StatusCode::OK).await;
    assert_eq!(still["roles"], json!(["OWNER"]));
}

#[tokio::test]
async fn a_person_who_is_provisioned_as_off_is_let_in_nowhere_until_switched_on() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let project = organisation.project.project_id.clone().unwrap();
    for (off, role) in [(json!(false), "ADMIN"), (json!("False"), "OWNER")] {
        let email = format!("off-{}@example.org", rand::random::<u32>());
        let user = json!({ "userName": email, "active": off, "roles": [role] });
        let made = done(
            client,
            (Method::POST, USERS),
            Some(&user),
            StatusCode::CREATED,
        )
        .await;
        assert_eq!(
            (&made["active"], &made["roles"]),
            (&json!(false), &json!(["NONE"]))
        );
        let one = format!("{USERS}/{}", made["id"].as_str().unwrap());
        let gone = ask(client, Method::GET, &one, None).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND);
        let reset = server.admin(&["reset-password", &email]);
        let visitor = Visitor::signed_in_as(&email, reset["password"].as_str().unwrap()).await;
        let page = format!("/p/{project}/settings");
        assert_eq!(visitor.get(&page).await.status(), StatusCode::NOT_FOUND);

        let on = json!({ "active": true, "roles": ["ADMIN"] });
        let set = done(client, (Method::PUT, &one), Some(&on), StatusCode::OK).await;
        assert_eq!(
            (&set["active"], &set["roles"]),
            (&json!(true), &json!(["ADMIN"]))
        );
        assert_eq!(visitor.get(&page).await.status(), StatusCode::OK);
        // Who is a member is not provisioned once more, as off either.
        let again = ask(client, Method::POST, USERS, Some(&user)).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
    }
    let wrong = json!({ "userName": "x@example.org", "active": "perhaps" });
    let answer = ask(client, Method::POST, USERS, Some(&wrong)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
}
