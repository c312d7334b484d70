//! Members, and where somebody is signed in.

use domain::tenancy::{Member, Role, SignIn};
use domain::{Nanos, SignInId};
use uuid::Uuid;

use super::{now, person};

/// Members of the organisation.
pub(in crate::samples) fn members() -> Vec<Member> {
    let member = |number, name: &str, role| Member {
        person: person(number, name),
        role,
        since: now().minus(Nanos::from_seconds(86_400 * 30)),
    };
    vec![
        member(20, "maya", Role::Owner),
        member(21, "li.wei", Role::Admin),
        member(
            22,
            "a-very-long-name-that-goes-on-and-on-and-on-and-on.for-ever",
            Role::Member,
        ),
        member(23, "sam", Role::Viewer),
    ]
}

/// Sign-ins of one person.
pub(in crate::samples) fn sign_ins() -> Vec<SignIn> {
    let sign_in = |number: u128, user_agent: &str| SignIn {
        id: SignInId(Uuid::from_u128(number)),
        user_agent: user_agent.to_owned(),
        address: "2001:db8:85a3:8d3:1319:8a2e:370:7348".to_owned(),
        since: now().minus(Nanos::from_seconds(86_400 * 9)),
        last_used: now().minus(Nanos::from_seconds(300)),
    };
    vec![
        sign_in(
            1,
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        ),
        sign_in(2, "a-client-of-a-very-long-name-that-goes-on-and-on-and-on"),
    ]
}
