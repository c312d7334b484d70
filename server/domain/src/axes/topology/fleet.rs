//! Instances and GPUs, put together from the labels of their series.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::same::{gpu_id, host, plain};
use super::{GpuRule, Topology};
use crate::axes::series::{Labels, Series, SeriesId};

/// A serving instance, or a GPU.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// What it is called: the instance as its series name it, or the id of the GPU.
    pub name: Arc<str>,
    /// All values that its series have of each label.
    pub labels: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Its series by the value that they tell: of each value those of the lowest rank.
    pub series: HashMap<&'static str, Vec<SeriesId>>,
    ranks: HashMap<&'static str, u8>,
}

/// All serving instances and GPUs of a project.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    /// Serving instances, by name.
    pub instances: Vec<Unit>,
    /// GPUs, by id.
    pub gpus: Vec<Unit>,
    /// For each instance its GPUs, by their place.
    pub gpus_of: Vec<Vec<usize>>,
    /// For each instance the rule that found them.
    pub found_by: Vec<Option<String>>,
}

/// Exporters whose series are of a proxy or a whole deployment, not of a serving instance.
const PROXIES: &[&str] = &["litellm"];
/// The beginning of the names of such series of an exporter that has both.
const FRONTEND: &str = "dynamo_frontend";
/// Labels that name a GPU.
const GPU_IDS: &[&str] = &["UUID", "uuid", "gpu_uuid", "GPU_UUID", "gpu.uuid", "hw.id"];
/// Labels that name one within its host.
const GPU_PLACES: &[&str] = &["gpu", "gpu_id", "GpuIndex", "index", "minor_number"];
/// Labels that name a part of one.
const GPU_SLICES: &[&str] = &["GPU_I_ID", "gpu_instance_id", "gpu_partition_id"];
/// Labels that name a host, best first.
const HOSTS: &[&str] = &[
    "Hostname",
    "hostname",
    "host.name",
    "node",
    "k8s.node.name",
    "ip",
    "instance",
];
/// Labels that name an instance, best first.
const INSTANCES: &[&str] = &["instance", "pod", "k8s.pod.name", "host.name", "job"];

impl Unit {
    /// Whether one of its series has that label, and what it says.
    pub fn label(&self, name: &str) -> Option<&BTreeSet<Arc<str>>> {
        self.labels.get(name)
    }

    fn add(&mut self, id: SeriesId, series: &Series) {
        for (name, value) in series.labels.iter() {
            let known = self.labels.entry(Arc::from(name)).or_default();
            known.insert(Arc::from(value));
        }
        let Some(reading) = &series.reading else {
            return;
        };
        let rank = self.ranks.entry(reading.axis).or_insert(u8::MAX);
        if reading.rank < *rank {
            *rank = reading.rank;
            self.series.insert(reading.axis, Vec::new());
        }
        if reading.rank == *rank {
            self.series.entry(reading.axis).or_default().push(id);
        }
    }

    /// The first of these labels that is there, with what it says.
    fn first<'a>(&'a self, names: &'a [String]) -> Option<(&'a str, &'a BTreeSet<Arc<str>>)> {
        names
            .iter()
            .find_map(|name| Some((name.as_str(), self.label(name)?)))
    }
}

impl Fleet {
    /// From series that tell of the axes.
    pub fn new(series: &[(SeriesId, Series)], topology: &Topology) -> Self {
        let (mut instances, mut gpus) = (BTreeMap::new(), BTreeMap::new());
        for (id, series) in series {
            let Some(reading) = &series.reading else {
                // Some tell nothing but which GPU is an instance's.
                if series.labels.get("gpu_uuid").is_some() {
                    add(&mut instances, instance_name(&series.labels), (*id, series));
                }
                continue;
            };
            if reading.axis.starts_with("gpu.") {
                add(&mut gpus, gpu_name(&series.labels), (*id, series));
            } else if !PROXIES.contains(&reading.exporter) && !series.name.starts_with(FRONTEND) {
                add(&mut instances, instance_name(&series.labels), (*id, series));
            }
        }
        let instances: Vec<Unit> = instances
            .into_values()
            .filter(|unit: &Unit| !unit.series.is_empty())
            .collect();
        let gpus: Vec<Unit> = gpus.into_values().collect();
        let found = gpus_of(&instances, &gpus, &topology.gpus);
        let (gpus_of, found_by) = found.into_iter().unzip();
        Fleet {
            instances,
            gpus,
            gpus_of,
            found_by,
        }
    }

    /// The instance that has a GPU, where one does.
    pub fn instance_of(&self, gpu: usize) -> Option<usize> {
        self.gpus_of.iter().position(|gpus| gpus.contains(&gpu))
    }
}

fn add(units: &mut BTreeMap<String, Unit>, name: String, (id, series): (SeriesId, &Series)) {
    let unit = units.entry(name).or_insert_with_key(|name| Unit {
        name: Arc::from(name.as_str()),
        ..Unit::default()
    });
    unit.add(id, series);
}

fn first<'a>(labels: &'a Labels, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| labels.get(name))
}

/// A replica of Ray is one of several behind an address.
fn instance_name(labels: &Labels) -> String {
    let name = first(labels, INSTANCES).unwrap_or_default();
    match first(labels, &["ReplicaId", "WorkerId"]) {
        Some(replica) => format!("{name} {replica}"),
        None => name.to_owned(),
    }
}

fn gpu_name(labels: &Labels) -> String {
    let name = match first(labels, GPU_IDS) {
        Some(id) => gpu_id(id),
        None => {
            let place = first(labels, GPU_PLACES).unwrap_or_default();
            let host_name = plain(first(labels, HOSTS).unwrap_or_default());
            format!("{}:{place}", host(&host_name))
        }
    };
    match first(labels, GPU_SLICES) {
        Some(slice) => format!("{name}/{slice}"),
        None => name,
    }
}

/// For each instance its GPUs and the rule that found them.
fn gpus_of(
    instances: &[Unit],
    gpus: &[Unit],
    rules: &[GpuRule],
) -> Vec<(Vec<usize>, Option<String>)> {
    let mut found: Vec<(Vec<usize>, Option<String>)> = vec![(Vec::new(), None); instances.len()];
    for rule in rules {
        let fitting: Vec<Vec<usize>> = instances
            .iter()
            .map(|instance| {
                let fitting = gpus
                    .iter()
                    .enumerate()
                    .filter(|(_, gpu)| is_of(instance, gpu, rule));
                fitting.map(|(at, _)| at).collect()
            })
            .collect();
        // A GPU that fits several instances is nobody's.
        let mut claims = vec![0_usize; gpus.len()];
        fitting.iter().flatten().for_each(|&gpu| claims[gpu] += 1);
        let taken: BTreeSet<usize> = found
            .iter()
            .flat_map(|(gpus, _)| gpus.iter().copied())
            .collect();
        for (at, fitting) in fitting.into_iter().enumerate() {
            let free = |gpu: &usize| claims[*gpu] == 1 && !taken.contains(gpu);
            if found[at].0.is_empty() && !fitting.is_empty() && fitting.iter().all(free) {
                found[at] = (fitting, Some(rule.name.clone()));
            }
        }
    }
    found
}

fn is_of(instance: &Unit, gpu: &Unit, rule: &GpuRule) -> bool {
    let Some((gpu_label, gpu_values)) = gpu.first(&rule.gpu_labels) else {
        return false;
    };
    let is_id = GPU_IDS.contains(&gpu_label);
    let part = |text: &str| {
        if is_id {
            return gpu_id(text);
        }
        let plain = plain(text);
        if rule.same_host {
            host(&plain).to_owned()
        } else {
            plain
        }
    };
    let gpu_values: BTreeSet<String> = gpu_values.iter().map(|value| part(value)).collect();
    let labels = rule
        .instance_labels
        .iter()
        .filter_map(|name| instance.label(name));
    let fits = labels
        .flatten()
        .any(|value| gpu_values.contains(&part(value)));
    fits && is_of_one_namespace(instance, gpu, gpu_label)
}

/// Names of pods are unique within a namespace.
fn is_of_one_namespace(instance: &Unit, gpu: &Unit, gpu_label: &str) -> bool {
    let of_gpu = match gpu_label {
        "exported_pod" => gpu.label("exported_namespace"),
        "pod" => gpu.label("namespace"),
        "k8s.pod.name" => gpu.label("k8s.namespace.name"),
        _ => return true,
    };
    let of_instance = instance
        .label("namespace")
        .or_else(|| instance.label("k8s.namespace.name"));
    match (of_gpu, of_instance) {
        (Some(of_gpu), Some(of_instance)) => !of_gpu.is_disjoint(of_instance),
        _ => true,
    }
}
