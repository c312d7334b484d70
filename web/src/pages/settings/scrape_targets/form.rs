//! What a person enters as a target. A credential is never shown again.

use domain::Fault;
use domain::scrape::{AuthHint, ScrapeTarget, TargetDraft, TargetKind};
use service::scrape_targets::{AuthChange, Credential};

use crate::extract::Pairs;
use crate::form::Field;

/// Fields of the form, as faults name them.
pub(super) const FIELDS: &[&str] = &["name", "url", "interval_s", "labels", "auth"];

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct TargetForm {
    pub(crate) name: Field,
    pub(crate) url: Field,
    kind: TargetKind,
    pub(crate) interval: Field,
    pub(crate) labels: Field,
    /// `none`, `bearer`, `basic`, or `keep`.
    auth: String,
    pub(crate) username: Field,
    /// Always without a value.
    pub(crate) secret: Field,
    pub(crate) is_enabled: bool,
    /// There is a credential that may be kept.
    pub(crate) has_auth: bool,
}

impl TargetForm {
    /// A target, to be changed.
    pub(super) fn of(target: &ScrapeTarget) -> Self {
        let user = match &target.auth {
            Some(AuthHint::Basic(user)) => user.as_str(),
            _ => "",
        };
        let auth = if target.auth.is_some() {
            "keep"
        } else {
            "none"
        };
        TargetForm {
            auth: auth.to_owned(),
            username: Field::holding(user),
            has_auth: target.auth.is_some(),
            ..TargetForm::from(&target.draft)
        }
    }

    /// As it was sent.
    pub(super) fn posted(pairs: &Pairs) -> Self {
        let text = |name| pairs.get(name).unwrap_or_default().trim();
        let field = |name| Field::holding(text(name));
        TargetForm {
            name: field("name"),
            url: field("url"),
            kind: TargetKind::from_name(text("kind")).unwrap_or_default(),
            interval: field("interval_s"),
            labels: field("labels"),
            auth: text("auth").to_owned(),
            username: field("username"),
            secret: Field::default(),
            is_enabled: text("enabled") != "no",
            has_auth: text("has_auth") == "yes",
        }
    }

    /// Whether that kind is chosen.
    pub(crate) fn is_kind(&self, kind: &str) -> bool {
        self.kind.as_str() == kind
    }

    /// Whether that way is chosen.
    pub(crate) fn is_auth(&self, auth: &str) -> bool {
        self.auth == auth
    }

    /// With the words of a fault at the field that it names.
    pub(super) fn with_fault(self, fault: &Fault) -> Self {
        TargetForm {
            name: self.name.with_fault("name", fault),
            url: self.url.with_fault("url", fault),
            interval: self.interval.with_fault("interval_s", fault),
            labels: self.labels.with_fault("labels", fault),
            secret: self.secret.with_fault("auth", fault),
            ..self
        }
    }

    /// The draft with what was entered.
    ///
    /// # Errors
    /// `invalid` on a field that is no number or no list of labels.
    pub(super) fn draft(&self, draft: &TargetDraft) -> Result<TargetDraft, Fault> {
        let seconds = match self.interval.value.as_str() {
            "" => draft.interval_s,
            entered => entered
                .parse()
                .map_err(|_| wrong("interval_s", "give a whole number"))?,
        };
        let lines = self.labels.value.lines().map(str::trim);
        let labels = lines.filter(|line| !line.is_empty()).map(|line| {
            let pair = line.split_once('=');
            let (name, value) =
                pair.ok_or_else(|| wrong("labels", "give one a line, as name=value"))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        });
        Ok(TargetDraft {
            name: self.name.value.clone(),
            url: self.url.value.clone(),
            kind: self.kind,
            interval_s: seconds,
            labels: labels.collect::<Result<_, Fault>>()?,
            is_enabled: self.is_enabled,
        })
    }

    /// The credential that was entered with it.
    pub(super) fn credential(&self, pairs: &Pairs) -> Option<Credential> {
        let secret = pairs.get("secret").unwrap_or_default().to_owned();
        match self.auth.as_str() {
            "bearer" => Some(Credential::Bearer(secret)),
            "basic" => Some(Credential::Basic(self.username.value.clone(), secret)),
            _ => None,
        }
    }

    /// What becomes of the one that there is.
    pub(super) fn auth_change(&self, pairs: &Pairs) -> AuthChange {
        match self.auth.as_str() {
            "keep" => AuthChange::Keep,
            _ => AuthChange::Set(self.credential(pairs)),
        }
    }
}

impl From<&TargetDraft> for TargetForm {
    fn from(draft: &TargetDraft) -> Self {
        let labels = draft.labels.iter();
        let labels = labels.map(|(name, value)| format!("{name}={value}\n"));
        TargetForm {
            name: Field::holding(&draft.name),
            url: Field::holding(&draft.url),
            kind: draft.kind,
            interval: Field::holding(&draft.interval_s.to_string()),
            labels: Field::holding(labels.collect::<String>().trim_end()),
            auth: "none".to_owned(),
            is_enabled: draft.is_enabled,
            ..TargetForm::default()
        }
    }
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(why).on_field(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(body: &[u8]) -> (TargetForm, Pairs) {
        let pairs = Pairs::parse(body);
        (TargetForm::posted(&pairs), pairs)
    }

    #[test]
    fn labels_stand_one_a_line() {
        let (form, _) = posted(b"name=a&url=b&labels=x%3D1%0D%0A%0D%0A+y+%3D+a%3Db&kind=vllm");
        let draft = form.draft(&TargetDraft::default()).unwrap();
        let labels: Vec<_> = draft.labels.iter().collect();
        let expected = [("x", "1"), ("y", "a=b")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        assert!(labels.into_iter().eq(expected.iter().map(|(n, v)| (n, v))));
        assert_eq!((draft.kind, draft.interval_s), (TargetKind::Vllm, 15));
        let shown = TargetForm::from(&draft);
        assert_eq!(shown.labels.value, "x=1\ny=a=b");
        for (body, field) in [
            (&b"labels=x"[..], "labels"),
            (b"interval_s=soon", "interval_s"),
        ] {
            let fault = posted(body).0.draft(&TargetDraft::default()).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some(field));
        }
    }

    #[test]
    fn a_credential_is_kept_set_or_taken_away_and_never_shown() {
        let (form, pairs) = posted(b"auth=basic&username=u&secret=p");
        assert!(form.secret.value.is_empty());
        let entered = Some(Credential::Basic("u".to_owned(), "p".to_owned()));
        assert!(form.credential(&pairs) == entered);
        let change = |body| {
            let (form, pairs) = posted(body);
            form.auth_change(&pairs)
        };
        assert!(matches!(change(b"auth=keep&secret=p"), AuthChange::Keep));
        assert!(matches!(change(b"auth=none"), AuthChange::Set(None)));
        assert!(matches!(
            change(b"auth=bearer&secret=p"),
            AuthChange::Set(Some(_))
        ));
    }
}
