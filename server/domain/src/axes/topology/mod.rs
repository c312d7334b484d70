//! How a request finds the instance that served it, and an instance its GPUs: rules on attributes and labels, tried in
//! their order.
//!
//! **Invariant:** what fits several instances finds none: the next rule may tell them apart, and in the end nothing is
//! better than a guess.

/// The rules that a project has unless it sets its own.
mod defaults;
/// Instances and GPUs, put together from the labels of their series.
pub mod fleet;
/// Whether two texts name the same thing.
mod same;
/// From a request to its instance.
mod serve;
#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Fault;

pub use fleet::{Fleet, Unit};
pub use serve::{Found, Signs};

/// Most rules of a kind.
const MAX_RULES: usize = 30;
/// Most keys or labels of a rule.
const MAX_NAMES: usize = 30;
/// Most bytes of a name.
const MAX_NAME_BYTES: usize = 200;

/// Whose attributes a rule reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Teller {
    /// The span of the request: `server.address:server.port`, `server.address`, `llm.infer.instance`.
    Request,
    /// A span of the engine below the request, or of a server below it: the same, and attributes of its resource.
    Server,
}

/// How a request finds its instance. The first key that is told and fits an instance by one of the labels counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceRule {
    /// What it is called where a request says how its instance was found.
    pub name: String,
    /// Whose attributes.
    #[serde(default = "request")]
    pub from: Teller,
    /// Attributes; none: every instance fits.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Labels of the engine's series.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Whether the instance must serve the request's model as well.
    #[serde(default)]
    pub same_model: bool,
}

fn request() -> Teller {
    Teller::Request
}

/// How an instance finds its GPUs. Of several labels the first that is there counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuRule {
    /// What it is called.
    pub name: String,
    /// Labels of the engine's series.
    pub instance_labels: Vec<String>,
    /// Labels of the GPU's series.
    pub gpu_labels: Vec<String>,
    /// Whether ports do not matter: both are on one host.
    #[serde(default)]
    pub same_host: bool,
}

/// All rules of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// From requests to instances.
    pub instances: Vec<InstanceRule>,
    /// From instances to GPUs.
    pub gpus: Vec<GpuRule>,
}

impl Default for Topology {
    fn default() -> Self {
        defaults::topology()
    }
}

impl Topology {
    /// From the JSON of an object.
    ///
    /// # Errors
    /// `invalid` on the field.
    pub fn parse(json: &str) -> Result<Self, Fault> {
        let document: Value =
            serde_json::from_str(json).map_err(|_| wrong("instances", "give rules"))?;
        let topology = Topology {
            instances: rules(&document, "instances")?,
            gpus: rules(&document, "gpus")?,
        };
        topology.check()?;
        Ok(topology)
    }

    fn check(&self) -> Result<(), Fault> {
        for (field, count) in [
            ("instances", self.instances.len()),
            ("gpus", self.gpus.len()),
        ] {
            if count > MAX_RULES {
                return Err(wrong(field, &format!("give at most {MAX_RULES} rules")));
            }
        }
        for (at, rule) in self.instances.iter().enumerate() {
            let field = |part: &str| format!("instances[{at}].{part}");
            check_names(&field("name"), std::slice::from_ref(&rule.name))?;
            check_names(&field("keys"), &rule.keys)?;
            check_names(&field("labels"), &rule.labels)?;
            if rule.keys.is_empty() != rule.labels.is_empty() {
                return Err(wrong(&field("labels"), "give keys and labels, or neither"));
            }
            if rule.keys.is_empty() && !rule.same_model {
                let why = "give keys, or same_model: a rule without either fits whatever there is";
                return Err(wrong(&field("keys"), why));
            }
        }
        for (at, rule) in self.gpus.iter().enumerate() {
            let field = |part: &str| format!("gpus[{at}].{part}");
            check_names(&field("name"), std::slice::from_ref(&rule.name))?;
            for (part, names) in [
                ("instance_labels", &rule.instance_labels),
                ("gpu_labels", &rule.gpu_labels),
            ] {
                check_names(&field(part), names)?;
                if names.is_empty() {
                    return Err(wrong(&field(part), "give at least one label"));
                }
            }
        }
        check_unique(
            "instances",
            self.instances.iter().map(|rule| rule.name.as_str()),
        )?;
        check_unique("gpus", self.gpus.iter().map(|rule| rule.name.as_str()))
    }
}

fn rules<R: DeserializeOwned>(document: &Value, field: &str) -> Result<Vec<R>, Fault> {
    let Some(Value::Array(rules)) = document.get(field) else {
        return Err(wrong(field, "give a list of rules"));
    };
    let rule = |(at, rule): (usize, &Value)| {
        R::deserialize(rule).map_err(|error| wrong(&format!("{field}[{at}]"), &error.to_string()))
    };
    rules.iter().enumerate().map(rule).collect()
}

fn check_names(field: &str, names: &[String]) -> Result<(), Fault> {
    if names.len() > MAX_NAMES {
        return Err(wrong(field, &format!("give at most {MAX_NAMES}")));
    }
    let usable = |name: &String| {
        !name.trim().is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains('\0')
    };
    if names.iter().all(usable) {
        Ok(())
    } else {
        Err(wrong(
            field,
            &format!("each must have 1 to {MAX_NAME_BYTES} bytes"),
        ))
    }
}

fn check_unique<'a>(field: &str, names: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
    let mut known = std::collections::BTreeSet::new();
    for name in names {
        if !known.insert(name) {
            return Err(wrong(field, &format!("two rules are called {name:?}")));
        }
    }
    Ok(())
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}
