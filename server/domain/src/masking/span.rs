use std::collections::BTreeMap;
use std::sync::Arc;

use super::counts::Counts;
use super::masker::{Kind, Masker};
use super::records::event_field;
use super::settings::{Action, MaskedField};
use crate::span::{Content, Scope, Span, SpanEvent, SpanLink};
use crate::value::{Attributes, Value};

/// What spans of one request share, masked once.
#[derive(Default)]
struct Shared {
    resource: Option<(Arc<Attributes>, Arc<Attributes>)>,
    scope: Option<(Arc<Scope>, Arc<Scope>)>,
}

impl Masker {
    /// Spans as they may be stored. What is derived from their texts has to be derived afterwards.
    pub fn spans(&self, spans: &mut [Span], counts: &mut Counts) {
        let mut shared = Shared::default();
        for span in spans {
            self.span(span, &mut shared, counts);
        }
    }

    /// Every field stands here, so that none that comes is forgotten.
    #[expect(clippy::too_many_lines, reason = "half of them name fields")]
    fn span(&self, span: &mut Span, shared: &mut Shared, counts: &mut Counts) {
        let Span {
            // Ids that programs make up, numbers and names of a closed set.
            trace_id: _,
            span_id: _,
            parent_span_id: _,
            kind: _,
            otlp_kind: _,
            start: _,
            end: _,
            oddities: _,
            status: _,
            level: _,
            usage: _,
            cost: _,
            timings: _,
            provenance: _,
            call_role: _,
            from_cache: _,
            axes: _,
            changes: _,
            keep: _,
            // Derived afterwards.
            quality: _,
            tools: _,
            semantic_events: _,
            name,
            error,
            service,
            instance,
            environment,
            release,
            version,
            tenant,
            route,
            user_id,
            session_id,
            tags,
            metadata,
            trace_metadata_keys,
            trace_name,
            provider,
            request_model,
            response_model,
            parameters,
            finish_reasons,
            prompt,
            input,
            output,
            attributes,
            resource,
            scope,
            events,
            links,
            response_id,
            context,
        } = span;
        self.replace_field(MaskedField::Name, name, counts);
        self.replace_optional(MaskedField::Name, trace_name, counts);
        self.replace_optional(MaskedField::UserId, user_id, counts);
        self.replace_optional(MaskedField::SessionId, session_id, counts);
        if let Some(error) = error {
            self.replace_field(MaskedField::Error, &mut error.message, counts);
            if let Some(kind) = &mut error.kind {
                self.replace(kind, Kind::Content, counts);
            }
        }
        for tag in &mut *tags {
            self.replace_field(MaskedField::Tags, tag, counts);
        }
        tags.sort();
        tags.dedup();
        for text in [environment, service] {
            self.replace(text, Kind::Machine, counts);
        }
        let texts = [
            instance,
            release,
            version,
            provider,
            request_model,
            response_model,
            response_id,
        ];
        for text in texts.into_iter().flatten() {
            self.replace(text, Kind::Machine, counts);
        }
        for text in [tenant, route].into_iter().flatten() {
            self.replace(text, Kind::Content, counts);
        }
        if let Some(prompt) = prompt {
            self.replace(&mut prompt.name, Kind::Content, counts);
            self.replace(&mut prompt.version, Kind::Content, counts);
        }
        for reason in finish_reasons {
            self.replace(reason, Kind::Content, counts);
        }
        let retrieved = [
            &mut context.chunk_ids,
            &mut context.row_keys,
            &mut context.payload_hashes,
        ];
        for id in retrieved.into_iter().flatten() {
            self.replace(id, Kind::Content, counts);
        }
        self.metadata(metadata, counts);
        for key in trace_metadata_keys {
            self.replace(key, Kind::Content, counts);
        }
        self.pairs(parameters, counts);
        self.attributes(attributes, counts);
        self.content(MaskedField::Input, input, attributes, counts);
        self.content(MaskedField::Output, output, attributes, counts);
        self.events(events, counts);
        for SpanLink { attributes, .. } in links {
            self.attributes(attributes, counts);
        }
        shared.mask(self, (resource, scope), counts);
    }

    /// Input or output. One that an attribute holds was masked with it.
    fn content(
        &self,
        field: MaskedField,
        content: &mut Option<Content>,
        attributes: &Attributes,
        counts: &mut Counts,
    ) {
        let Some(content) = content else { return };
        let held = content.attribute.as_ref().and_then(|key| {
            let mut attributes = attributes.iter().rev();
            let (_, value) = attributes.find(|(name, _)| name == key)?;
            match value {
                Value::Str(text) => Some(Arc::clone(text)),
                _ => None,
            }
        });
        match held {
            Some(text) => content.text = text,
            None => {
                content.attribute = None;
                if let Some(masked) = self.field(field, &content.text, counts) {
                    content.text = masked.into();
                }
            }
        }
    }

    fn metadata(&self, metadata: &mut BTreeMap<String, String>, counts: &mut Counts) {
        let ruled = self.of_field(MaskedField::Metadata);
        if let Some((action, rule)) = ruled
            && action != Action::Mask
        {
            for text in metadata.values_mut() {
                if let Some(masked) = self.whole(action, unquoted(text)) {
                    counts.add(rule);
                    *text = quoted(&masked);
                }
            }
            return;
        }
        self.pairs(metadata, counts);
    }

    /// Texts of JSON by key.
    fn pairs(&self, pairs: &mut BTreeMap<String, String>, counts: &mut Counts) {
        let mut renamed = Vec::new();
        for (key, text) in &mut *pairs {
            let place = [Some(key.clone())];
            if let Some(masked) = self.json_of(text, &place, counts) {
                *text = masked;
            }
            if let Some(masked) = self.plain(key, Kind::Content, counts) {
                renamed.push((key.clone(), masked));
            }
        }
        for (old, new) in renamed {
            if let Some(text) = pairs.remove(&old) {
                pairs.insert(new, text);
            }
        }
    }

    /// A text that is JSON: a string, a number or what holds them.
    fn json_of(&self, text: &str, place: &[Option<String>], counts: &mut Counts) -> Option<String> {
        let mut parsed = match serde_json::from_str(text) {
            Ok(parsed) => parsed,
            Err(_) => return self.plain(text, Kind::Content, counts),
        };
        let is_plain = !matches!(
            parsed,
            serde_json::Value::Object(_) | serde_json::Value::Array(_)
        );
        if let Some((action, rule)) = self.at(place) {
            let masked = self.whole(action, unquoted(text))?;
            counts.add(rule);
            return Some(quoted(&masked));
        }
        if !is_plain {
            let within = super::text::Within::at(Kind::Content, place);
            return self.within(text, &within, counts);
        }
        if parsed.is_number() {
            return self
                .plain(text, Kind::Content, counts)
                .map(|masked| quoted(&masked));
        }
        let before = parsed.clone();
        self.parsed(&mut parsed, Kind::Content, place, counts);
        (parsed != before).then(|| parsed.to_string())
    }

    fn events(&self, events: &mut [SpanEvent], counts: &mut Counts) {
        for event in events {
            let ruled = event_field(&event.name).and_then(|field| self.of_field(field));
            match ruled.filter(|(action, _)| *action != Action::Mask) {
                None => self.attributes(&mut event.attributes, counts),
                Some((action, rule)) => {
                    for (_, value) in &mut event.attributes {
                        self.whole_value(action, value, rule, counts);
                    }
                }
            }
            self.replace(&mut event.name, Kind::Content, counts);
        }
    }

    /// Attributes of the sending process.
    pub(super) fn resource(&self, resource: &Attributes, counts: &mut Counts) -> Attributes {
        let mut masked = resource.clone();
        for (key, value) in &mut masked {
            if let Some((action, rule)) = self.of_attribute(key) {
                self.whole_value(action, value, rule, counts);
                continue;
            }
            self.value(value, Kind::Machine, &mut Vec::new(), counts);
            if let Some(masked) = self.plain(key, Kind::Machine, counts) {
                *key = masked.into();
            }
        }
        masked
    }

    /// The library that sent it.
    pub(super) fn scope(&self, scope: &Scope, counts: &mut Counts) -> Scope {
        let mut masked = scope.clone();
        self.replace_shared(&mut masked.name, Kind::Machine, counts);
        self.replace_shared(&mut masked.version, Kind::Machine, counts);
        masked
    }
}

impl Shared {
    fn mask(
        &mut self,
        masker: &Masker,
        (resource, scope): (&mut Arc<Attributes>, &mut Arc<Scope>),
        counts: &mut Counts,
    ) {
        match &self.resource {
            Some((of, masked)) if Arc::ptr_eq(of, resource) => *resource = Arc::clone(masked),
            _ => {
                let masked = Arc::new(masker.resource(resource, counts));
                self.resource = Some((Arc::clone(resource), Arc::clone(&masked)));
                *resource = masked;
            }
        }
        match &self.scope {
            Some((of, masked)) if Arc::ptr_eq(of, scope) => *scope = Arc::clone(masked),
            _ => {
                let masked = Arc::new(masker.scope(scope, counts));
                self.scope = Some((Arc::clone(scope), Arc::clone(&masked)));
                *scope = masked;
            }
        }
    }
}

/// What a JSON string without escapes says; the JSON itself of anything else.
fn unquoted(json: &str) -> &str {
    let inner = json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('\\')).unwrap_or(json)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
