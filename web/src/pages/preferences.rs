//! Language, theme and time zone, kept in cookies for a year. They change nothing but the look, so
//! a plain link may set them.

use axum::response::{IntoResponse, Response};
use http::header::SET_COOKIE;
use http::{HeaderValue, StatusCode};

use super::see_other;
use crate::choices::Theme;
use crate::extract::Pairs;
use crate::i18n::Lang;
use crate::urls;
use crate::zone::Zone;

/// Sets what the address names, and goes back.
pub(crate) async fn set_preference(pairs: Pairs) -> Response {
    let lang = pairs
        .get("lang")
        .and_then(Lang::from_tag)
        .map(|lang| ("lang", lang.tag().to_owned()));
    let theme = pairs
        .get("theme")
        .and_then(Theme::from_name)
        .map(|t| ("theme", t.name().to_owned()));
    let zone = pairs
        .get("tz")
        .and_then(Zone::from_name)
        .map(|zone| ("tz", zone.name().replace('/', "%2F")));
    let mut response = see_other(urls::local(pairs.get("back").unwrap_or(urls::HOME)));
    for (name, value) in [lang, theme, zone].into_iter().flatten() {
        let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax");
        match HeaderValue::from_str(&cookie) {
            Ok(cookie) => {
                response.headers_mut().append(SET_COOKIE, cookie);
            }
            Err(_) => return StatusCode::BAD_REQUEST.into_response(),
        }
    }
    response
}
