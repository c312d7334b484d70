//! What a reader chose about the look: language, theme, time zone. Kept in cookies, so that it
//! holds before sign-in too.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::header::{ACCEPT_LANGUAGE, COOKIE};
use http::request::Parts;

use crate::i18n::Lang;
use crate::zone::Zone;

/// Light, dark, or as the system is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system is set.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// Every theme, in the order in which the switch goes round.
    pub(crate) const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// Its name in cookies and in `data-theme`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of a name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The one that the switch goes to.
    pub(crate) fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// What a reader chose about the look.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    /// Language.
    pub(crate) lang: Lang,
    /// Theme.
    pub(crate) theme: Theme,
    /// Time zone.
    pub(crate) zone: Zone,
}

impl Choices {
    /// From headers and the query; a `tz=` in the address counts over the cookie.
    pub(crate) fn read(headers: &HeaderMap, query: &str) -> Self {
        let lang = cookie(headers, "lang")
            .as_deref()
            .and_then(Lang::from_tag)
            .or_else(|| {
                let header = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
                Lang::from_accept_language(header)
            });
        let in_address = form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name == "tz")
            .and_then(|(_, zone)| Zone::from_name(&zone));
        let zone = in_address
            .or_else(|| cookie(headers, "tz").as_deref().and_then(Zone::from_name))
            .unwrap_or_else(Zone::utc);
        let theme = cookie(headers, "theme")
            .as_deref()
            .and_then(Theme::from_name);
        let lang = lang.unwrap_or_default();
        Choices {
            lang,
            theme: theme.unwrap_or_default(),
            zone: zone.for_lang(lang),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Choices {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Choices::read(
            &parts.headers,
            parts.uri.query().unwrap_or_default(),
        ))
    }
}

/// The value of a cookie; scripts write zones with `/` percent-encoded.
fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.replace("%2F", "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_count_over_headers_and_the_address_over_cookies() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, "zh-CN".parse().unwrap());
        assert_eq!(Choices::read(&headers, "").lang, Lang::Zh);
        let cookies = "lang=en; theme=dark; tz=Asia%2FShanghai";
        headers.insert(COOKIE, cookies.parse().unwrap());
        let choices = Choices::read(&headers, "q=a&tz=Europe%2FBerlin");
        assert_eq!((choices.lang, choices.theme), (Lang::En, Theme::Dark));
        assert_eq!(choices.zone.name(), "Europe/Berlin");
        assert_eq!(Choices::read(&headers, "").zone.name(), "Asia/Shanghai");
        assert_eq!(
            Choices::read(&headers, "tz=nowhere").zone.name(),
            "Asia/Shanghai"
        );
    }
}
