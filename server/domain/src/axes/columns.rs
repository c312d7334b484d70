//! Requests as columns: what they are told apart by as codes, and a value of each axis for each of them.

use std::collections::HashMap;
use std::sync::Arc;

use super::asof::Moment;
use super::dimension::{DIMENSIONS, Dimension};
use super::request::{Judgement, Request};
use super::state::FleetState;
use super::topology::Signs;
use super::value::{AxisValue, GPU, Origin, QUALITY, TOKEN};
use crate::span::Timings;
use crate::{SpanId, Timestamp, TraceId};

/// Most judgements and scores of a project's own that get a column: the most frequent.
const MAX_OWN: usize = 40;

/// Texts as numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Codes {
    /// The text of each number.
    pub names: Vec<Arc<str>>,
    /// A number for each request; [`Codes::NONE`]: unknown.
    pub codes: Vec<u32>,
}

impl Codes {
    /// Nothing is known.
    pub const NONE: u32 = u32::MAX;

    /// The text of a request.
    pub fn get(&self, row: usize) -> Option<&Arc<str>> {
        self.names.get(*self.codes.get(row)? as usize)
    }

    fn of(values: impl Iterator<Item = Option<Arc<str>>>) -> Self {
        let mut known: HashMap<Arc<str>, u32> = HashMap::new();
        let mut codes = Codes::default();
        for value in values {
            let code = match value {
                None => Codes::NONE,
                Some(text) => *known.entry(text).or_insert_with_key(|text| {
                    codes.names.push(Arc::clone(text));
                    u32::try_from(codes.names.len() - 1).unwrap_or(Codes::NONE)
                }),
            };
            codes.codes.push(code);
        }
        codes
    }
}

/// A value of an axis for each request.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Which value.
    pub value: AxisValue,
    /// Whether all that is known says yes or no.
    pub is_flag: bool,
    /// Not a number where unknown.
    values: Vec<f64>,
}

impl Column {
    /// From a value for each request.
    pub fn new(value: AxisValue, is_flag: bool, values: Vec<Option<f64>>) -> Self {
        let values = values
            .into_iter()
            .map(|value| value.unwrap_or(f64::NAN))
            .collect();
        Column {
            value,
            is_flag,
            values,
        }
    }

    /// The value of a request.
    pub fn get(&self, row: usize) -> Option<f64> {
        self.values
            .get(row)
            .copied()
            .filter(|value| !value.is_nan())
    }

    /// How many requests there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many requests have one.
    pub fn known(&self) -> usize {
        self.values.iter().filter(|value| !value.is_nan()).count()
    }
}

/// Requests with their axes.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Their traces.
    pub trace_ids: Vec<TraceId>,
    /// Their spans.
    pub span_ids: Vec<SpanId>,
    /// When each began: in ascending order.
    pub starts: Vec<Timestamp>,
    /// What they are told apart by, by the place of the dimension.
    pub dimensions: [Codes; DIMENSIONS],
    /// Versions of their prompts, without the names of these.
    pub versions: Codes,
    /// For each the place of its instance in the fleet.
    pub instances: Vec<Option<usize>>,
    /// For each the rule that found its instance.
    pub found_by: Vec<Option<Arc<str>>>,
    /// Their values.
    pub columns: Vec<Column>,
    /// Whether there were more, of which these are those with the smallest hash of the trace id.
    pub is_sample: bool,
}

impl Requests {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The codes of a dimension.
    pub fn dimension(&self, dimension: Dimension) -> &Codes {
        &self.dimensions[dimension.place()]
    }

    /// The column of a value.
    pub fn column(&self, value: &AxisValue) -> Option<&Column> {
        self.columns.iter().find(|column| column.value == *value)
    }

    /// Requests with what their instances did at their time.
    pub fn joined(requests: &[Request], state: &FleetState) -> Self {
        let mut known: HashMap<&Signs, Option<(usize, Arc<str>)>> = HashMap::new();
        let found: Vec<Option<(usize, Arc<str>)>> = requests
            .iter()
            .map(|request| {
                let find = || {
                    state
                        .serving(&request.signs)
                        .map(|found| (found.instance, found.rule))
                };
                known.entry(&request.signs).or_insert_with(find).clone()
            })
            .collect();
        let instances: Vec<Option<usize>> =
            found.iter().map(|found| Some(found.as_ref()?.0)).collect();
        Requests {
            trace_ids: requests
                .iter()
                .map(|request| request.trace_id.clone())
                .collect(),
            span_ids: requests
                .iter()
                .map(|request| request.span_id.clone())
                .collect(),
            starts: requests.iter().map(|request| request.start).collect(),
            dimensions: std::array::from_fn(|place| {
                let dimension = Dimension::ALL[place];
                let values = requests.iter().zip(&instances);
                Codes::of(
                    values.map(|(request, instance)| named(dimension, request, *instance, state)),
                )
            }),
            versions: Codes::of(
                requests
                    .iter()
                    .map(|request| request.named.prompt_version.clone()),
            ),
            found_by: found.into_iter().map(|found| Some(found?.1)).collect(),
            columns: columns(requests, &instances, state),
            instances,
            is_sample: false,
        }
    }
}

fn named(
    dimension: Dimension,
    request: &Request,
    instance: Option<usize>,
    state: &FleetState,
) -> Option<Arc<str>> {
    let named = &request.named;
    match dimension {
        Dimension::Instance => Some(Arc::clone(&state.fleet.instances[instance?].name)),
        // Which of several a request ran on nobody knows: on all of them.
        Dimension::Gpu => match state.fleet.gpus_of[instance?].as_slice() {
            [gpu] => Some(Arc::clone(&state.fleet.gpus[*gpu].name)),
            _ => None,
        },
        Dimension::Model => named.model.clone(),
        Dimension::Prompt => named.prompt.clone(),
        Dimension::PromptVersion => {
            let (name, version) = (named.prompt.as_ref()?, named.prompt_version.as_ref()?);
            Some(Arc::from(format!("{name}@{version}")))
        }
        Dimension::Tenant => named.tenant.clone(),
        Dimension::Route => named.route.clone(),
        Dimension::Release => named.release.clone(),
        Dimension::Provider => named.provider.clone(),
        Dimension::Environment => named.environment.clone(),
    }
}

fn columns(requests: &[Request], instances: &[Option<usize>], state: &FleetState) -> Vec<Column> {
    let moments: Vec<Moment> = requests
        .iter()
        .map(|request| Moment::of(request.start, request.end))
        .collect();
    let of_instance = |row: usize, name: &str| state.at(instances[row]?, name, &moments[row]);
    let told = |row: usize, name: &str| {
        let told = &requests[row].told;
        told.iter()
            .find(|(known, _)| known.as_ref() == name)
            .map(|(_, value)| *value)
    };
    let rows = || 0..requests.len();
    let mut columns = Vec::new();
    for (name, _) in GPU {
        let values = rows().map(|row| told(row, name).or_else(|| of_instance(row, name)));
        columns.push(Column::new(AxisValue::Gpu(name), false, values.collect()));
    }
    for (name, origin) in TOKEN {
        let own = |row: usize| told(row, name).or_else(|| number(&requests[row], name));
        let values = rows().map(|row| match origin {
            Origin::Request => own(row),
            Origin::Instance => of_instance(row, name),
            Origin::RequestElseInstance => own(row).or_else(|| of_instance(row, name)),
        });
        columns.push(Column::new(AxisValue::Token(name), false, values.collect()));
    }
    columns.extend(judgements(requests));
    columns.extend(scores(requests));
    let cost = requests
        .iter()
        .map(|request| request.numbers.cost)
        .collect();
    columns.push(Column::new(AxisValue::Cost, false, cost));
    let failed = requests
        .iter()
        .map(|request| Some(f64::from(u8::from(request.failed))))
        .collect();
    columns.push(Column::new(AxisValue::Errors, true, failed));
    columns
}

/// What a request's own numbers say of a value of the axis `token`.
fn number(request: &Request, name: &str) -> Option<f64> {
    let numbers = &request.numbers;
    let e2e_ms = request.end.map(|end| (end - request.start).as_millis_f64());
    match name {
        "token.ttft_ms" => numbers.ttft_ms,
        "token.tpot_ms" => numbers.tpot_ms,
        "token.queue_ms" => numbers.queue_ms,
        "token.prefill_ms" => numbers.prefill_ms,
        "token.e2e_ms" => e2e_ms,
        "token.input_tokens" => numbers.input_tokens.map(tokens),
        "token.output_tokens" => numbers.output_tokens.map(tokens),
        "token.cached_tokens" => numbers.cached_tokens.map(tokens),
        "token.kv_cache_hit_rate" => {
            let (cached, input) = (numbers.cached_tokens?, numbers.input_tokens?);
            (input > 0).then(|| (tokens(cached) / tokens(input)).min(1.0))
        }
        "token.decode_tokens_per_s" => {
            let timings = Timings {
                ttft_ms: numbers.ttft_ms,
                decode_ms: numbers.decode_ms,
                ..Timings::default()
            };
            timings.output_tokens_per_s(numbers.output_tokens?, e2e_ms?)
        }
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "no request has 2^53 tokens")]
fn tokens(count: u64) -> f64 {
    count as f64
}

/// Judgements that every project has, then the most frequent of its own.
fn judgements(requests: &[Request]) -> Vec<Column> {
    let common = QUALITY.iter().filter_map(|(name, is_flag)| {
        let name = name.strip_prefix("quality.")?;
        Some((Arc::from(name), *is_flag))
    });
    let common: Vec<(Arc<str>, bool)> = common.collect();
    let mut names: Vec<Arc<str>> = common.iter().map(|(name, _)| Arc::clone(name)).collect();
    let own = frequent(requests.iter().flat_map(|request| &request.judged));
    names.extend(
        own.into_iter()
            .filter(|name| !common.iter().any(|(known, _)| known == name)),
    );
    let columns = names.into_iter().map(|name| {
        let is_known_flag = common
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, is_flag)| *is_flag);
        let (values, is_flag) = pick(requests, &name, |request| &request.judged);
        Column::new(
            AxisValue::Quality(name.to_string()),
            is_known_flag.unwrap_or(is_flag),
            values,
        )
    });
    columns.collect()
}

fn scores(requests: &[Request]) -> Vec<Column> {
    let names = frequent(requests.iter().flat_map(|request| &request.scored));
    let columns = names.into_iter().map(|name| {
        let (values, is_flag) = pick(requests, &name, |request| &request.scored);
        Column::new(AxisValue::Score(name.to_string()), is_flag, values)
    });
    columns.collect()
}

/// The most frequent names, in alphabetical order.
fn frequent<'a>(given: impl Iterator<Item = &'a Judgement>) -> Vec<Arc<str>> {
    let mut counts: HashMap<&Arc<str>, usize> = HashMap::new();
    for (name, ..) in given {
        *counts.entry(name).or_default() += 1;
    }
    let mut names: Vec<(&Arc<str>, usize)> = counts.into_iter().collect();
    names.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    names.truncate(MAX_OWN);
    let mut names: Vec<Arc<str>> = names
        .into_iter()
        .map(|(name, _)| Arc::clone(name))
        .collect();
    names.sort();
    names
}

fn pick(
    requests: &[Request],
    name: &Arc<str>,
    given: fn(&Request) -> &[Judgement],
) -> (Vec<Option<f64>>, bool) {
    let rows = requests.iter().map(|request| {
        let mut given = given(request).iter();
        given.find(|(known, ..)| known == name)
    });
    let found: Vec<Option<&Judgement>> = rows.collect();
    let is_flag = found.iter().flatten().all(|(.., is_flag)| *is_flag);
    let values = found.into_iter().map(|found| Some(found?.1));
    (values.collect(), is_flag)
}
