//! What a body sets of a target.

use domain::Fault;
use domain::scrape::{TargetDraft, TargetKind};
use service::scrape_targets::{AuthChange, Credential};

use crate::extract::{Body, wrong};

/// A draft with those fields changed that the body gives.
pub(super) fn changed(
    mut draft: TargetDraft,
    body: &Body,
) -> Result<(TargetDraft, AuthChange), Fault> {
    body.only(&[
        "name",
        "url",
        "kind",
        "interval_s",
        "labels",
        "enabled",
        "auth",
    ])?;
    if let Some(name) = body.text("name")? {
        name.clone_into(&mut draft.name);
    }
    if let Some(url) = body.text("url")? {
        url.clone_into(&mut draft.url);
    }
    if let Some(kind) = body.text("kind")? {
        let known = TargetKind::from_name(kind);
        let names = "give auto, dcgm, vllm, sglang, tgi, triton or prometheus";
        draft.kind = known.ok_or_else(|| wrong("kind", names))?;
    }
    if let Some(seconds) = body.count("interval_s")? {
        draft.interval_s = u32::try_from(seconds).unwrap_or(u32::MAX);
    }
    if let Some(labels) = body.texts_by_name("labels")? {
        draft.labels = labels;
    }
    if let Some(is_enabled) = body.flag("enabled")? {
        draft.is_enabled = is_enabled;
    }
    let auth = match body.nested("auth")? {
        None => AuthChange::Keep,
        Some(None) => AuthChange::Set(None),
        Some(Some(auth)) => AuthChange::Set(Some(credential(&auth)?)),
    };
    Ok((draft, auth))
}

fn credential(auth: &Body) -> Result<Credential, Fault> {
    let text = |field| Ok::<_, Fault>(auth.text(field)?.unwrap_or_default().to_owned());
    match auth.text("type")? {
        Some("bearer") => {
            auth.only(&["type", "token"])?;
            Ok(Credential::Bearer(text("token")?))
        }
        Some("basic") => {
            auth.only(&["type", "username", "password"])?;
            Ok(Credential::Basic(text("username")?, text("password")?))
        }
        _ => Err(wrong("auth.type", "give bearer or basic")),
    }
}
