//! What a person enters as a connection. Credentials are never shown again.

use std::collections::BTreeMap;

use domain::Fault;
use domain::llm_connection::{Adapter, LlmConnection};
use serde_json::{Value as Json, json};
use service::llm_connections::{Change, Draft};

use crate::extract::Pairs;
use crate::form::Field;

/// Fields of the form, as faults name them.
pub(super) const FIELDS: &[&str] = &[
    "provider",
    "secretKey",
    "baseURL",
    "customModels",
    "extraHeaders",
    "config",
];

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionForm {
    pub(crate) provider: Field,
    adapter: Adapter,
    /// Always without a value.
    pub(crate) secret: Field,
    pub(crate) base_url: Field,
    pub(crate) models: Field,
    pub(crate) with_default_models: bool,
    /// `keep`, `none` or `set`.
    headers_are: String,
    /// Always without a value.
    pub(crate) headers: Field,
    /// Names of those that there are, in a line.
    pub(crate) header_names: String,
    pub(crate) region: Field,
}

impl ConnectionForm {
    /// As it opens.
    pub(super) fn empty() -> Self {
        ConnectionForm {
            with_default_models: true,
            headers_are: "none".to_owned(),
            ..ConnectionForm::default()
        }
    }

    /// A connection, to be changed.
    pub(super) fn of(connection: &LlmConnection) -> Self {
        let names = connection.extra_header_names.join(", ");
        ConnectionForm {
            provider: Field::holding(&connection.provider),
            adapter: connection.adapter,
            base_url: Field::holding(connection.base_url.as_deref().unwrap_or_default()),
            models: Field::holding(&connection.custom_models.join("\n")),
            with_default_models: connection.with_default_models,
            headers_are: if names.is_empty() { "none" } else { "keep" }.to_owned(),
            header_names: names,
            region: Field::holding(&region_of(connection)),
            ..ConnectionForm::default()
        }
    }

    /// As it was sent.
    pub(super) fn posted(pairs: &Pairs) -> Self {
        let text = |name| pairs.get(name).unwrap_or_default().trim();
        let field = |name| Field::holding(text(name));
        ConnectionForm {
            provider: field("provider"),
            adapter: Adapter::from_name(text("adapter")).unwrap_or_default(),
            secret: Field::default(),
            base_url: field("base_url"),
            models: field("models"),
            with_default_models: text("defaults") != "no",
            headers_are: text("headers_are").to_owned(),
            headers: Field::default(),
            header_names: text("header_names").to_owned(),
            region: field("region"),
        }
    }

    /// Whether that interface is chosen.
    pub(crate) fn is_adapter(&self, adapter: &str) -> bool {
        self.adapter.as_str() == adapter
    }

    /// Whether that is what becomes of the headers.
    pub(crate) fn headers_are(&self, what: &str) -> bool {
        self.headers_are == what
    }

    /// With the words of a fault at the field that it names.
    pub(super) fn with_fault(self, fault: &Fault) -> Self {
        ConnectionForm {
            provider: self.provider.with_fault("provider", fault),
            secret: self.secret.with_fault("secretKey", fault),
            base_url: self.base_url.with_fault("baseURL", fault),
            models: self.models.with_fault("customModels", fault),
            headers: self.headers.with_fault("extraHeaders", fault),
            region: self.region.with_fault("config", fault),
            ..self
        }
    }

    /// A new connection of what was entered.
    ///
    /// # Errors
    /// `invalid` on a field.
    pub(super) fn draft(&self, pairs: &Pairs) -> Result<Draft, Fault> {
        Ok(Draft {
            provider: self.provider.value.clone(),
            adapter: self.adapter,
            secret: secret(pairs).unwrap_or_default(),
            base_url: self.base_url(),
            custom_models: self.models(),
            with_default_models: self.with_default_models,
            extra_headers: self.extra_headers(pairs)?.unwrap_or_default(),
            config: self.config()?,
        })
    }

    /// What changes of one.
    ///
    /// # Errors
    /// As [`ConnectionForm::draft`].
    pub(super) fn change(&self, pairs: &Pairs) -> Result<Change, Fault> {
        Ok(Change {
            adapter: self.adapter,
            secret: secret(pairs),
            base_url: self.base_url(),
            custom_models: self.models(),
            with_default_models: self.with_default_models,
            extra_headers: self.extra_headers(pairs)?,
            config: self.config()?,
        })
    }

    fn base_url(&self) -> Option<String> {
        Some(self.base_url.value.clone()).filter(|url| !url.is_empty())
    }

    fn models(&self) -> Vec<String> {
        let lines = self.models.value.lines().map(str::trim);
        let models = lines.filter(|line| !line.is_empty());
        models.map(str::to_owned).collect()
    }

    /// Headers that are set; `None` where they stay as they are.
    fn extra_headers(&self, pairs: &Pairs) -> Result<Option<BTreeMap<String, String>>, Fault> {
        match self.headers_are.as_str() {
            "keep" => return Ok(None),
            "set" => {}
            _ => return Ok(Some(BTreeMap::new())),
        }
        let lines = pairs.get("headers").unwrap_or_default().lines();
        let lines = lines.map(str::trim).filter(|line| !line.is_empty());
        let headers = lines.map(|line| {
            let wrong =
                || Fault::invalid("give one a line, as name: value").on_field("extraHeaders");
            let (name, value) = line.split_once(':').ok_or_else(wrong)?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        });
        headers.collect::<Result<_, Fault>>().map(Some)
    }

    fn config(&self) -> Result<Option<String>, Fault> {
        let region = self.region.value.as_str();
        match (self.adapter, region) {
            (Adapter::Bedrock, "") => {
                Err(Fault::invalid("Bedrock needs a region").on_field("config"))
            }
            (Adapter::Bedrock, region) => Ok(Some(json!({"region": region}).to_string())),
            (Adapter::VertexAi, region) if !region.is_empty() => {
                Ok(Some(json!({"location": region}).to_string()))
            }
            _ => Ok(None),
        }
    }
}

fn secret(pairs: &Pairs) -> Option<String> {
    pairs.filled("secret").map(str::to_owned)
}

fn region_of(connection: &LlmConnection) -> String {
    let config = connection.config.as_deref().unwrap_or_default();
    let config: Json = serde_json::from_str(config).unwrap_or_default();
    let region = config.get("region").or_else(|| config.get("location"));
    region.and_then(Json::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_read_stays_unless_it_is_entered_anew() {
        let pairs = Pairs::parse(
            b"adapter=anthropic&headers_are=keep&models=a%0D%0A%0D%0A+b+&defaults=no&secret=",
        );
        let change = ConnectionForm::posted(&pairs).change(&pairs).unwrap();
        assert!(change.secret.is_none() && change.extra_headers.is_none());
        assert_eq!(change.custom_models, ["a", "b"]);
        assert!(!change.with_default_models);
        let pairs = Pairs::parse(b"headers_are=set&headers=x-a%3A+1%3A2&secret=+s+");
        let form = ConnectionForm::posted(&pairs);
        let draft = form.draft(&pairs).unwrap();
        assert_eq!(draft.secret, "s");
        assert_eq!(draft.extra_headers["x-a"], "1:2");
        assert!(form.secret.value.is_empty() && form.headers.value.is_empty());
        let wrong = Pairs::parse(b"headers_are=set&headers=nothing");
        assert!(ConnectionForm::posted(&wrong).draft(&wrong).is_err());
    }
}
