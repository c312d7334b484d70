//! Rules that work for the DCGM exporter beside vLLM, SGLang, TGI or Triton, scraped by Prometheus or by a Collector.

use super::{GpuRule, InstanceRule, Teller, Topology};

/// Names of a pod, as Prometheus' relabelling and Collectors have them.
const PODS: &[&str] = &["pod", "k8s.pod.name", "kubernetes_pod_name", "pod_name"];
/// Names of a host.
const HOSTS: &[&str] = &[
    "Hostname",
    "hostname",
    "host.name",
    "node",
    "k8s.node.name",
    "NodeAddress",
    "instance",
];
/// Ids of a GPU.
const GPU_IDS: &[&str] = &["gpu_uuid", "gpu.uuid", "UUID", "uuid", "GPU_UUID", "hw.id"];

pub(super) fn topology() -> Topology {
    Topology {
        instances: vec![
            instance(
                "told_instance",
                Teller::Request,
                &["llm.infer.instance"],
                &["instance", "pod", "k8s.pod.name"],
            ),
            instance(
                "engine_instance",
                Teller::Server,
                &["llm.infer.instance", "service.instance.id"],
                &["instance", "pod", "k8s.pod.name"],
            ),
            instance("engine_pod", Teller::Server, &["k8s.pod.name"], PODS),
            instance(
                "address",
                Teller::Request,
                &["server.address:server.port"],
                &["instance", "exported_instance"],
            ),
            instance(
                "engine_address",
                Teller::Server,
                &["server.address:server.port"],
                &["instance", "exported_instance"],
            ),
            instance(
                "host",
                Teller::Request,
                &["server.address"],
                &[
                    "pod_ip",
                    "pod",
                    "k8s.pod.name",
                    "host.name",
                    "server.address",
                    "instance",
                ],
            ),
            with_model(instance(
                "engine_host",
                Teller::Server,
                &["host.name", "k8s.node.name"],
                HOSTS,
            )),
            with_model(instance("only_one_of_model", Teller::Request, &[], &[])),
        ],
        gpus: vec![
            gpu(
                "gpu_id",
                GPU_IDS,
                &["UUID", "uuid", "gpu_uuid", "GPU_UUID", "gpu.uuid", "hw.id"],
            ),
            gpu("same_target", &["instance"], &["instance"]),
            // After a scrape by Prometheus `pod` may be the exporter's own, and `exported_pod` the GPU's user.
            gpu("pod", PODS, &["exported_pod", "pod", "k8s.pod.name"]),
            GpuRule {
                same_host: true,
                ..gpu("host", HOSTS, HOSTS)
            },
        ],
    }
}

fn instance(name: &str, from: Teller, keys: &[&str], labels: &[&str]) -> InstanceRule {
    InstanceRule {
        name: name.to_owned(),
        from,
        keys: owned(keys),
        labels: owned(labels),
        same_model: false,
    }
}

fn with_model(rule: InstanceRule) -> InstanceRule {
    InstanceRule {
        same_model: true,
        ..rule
    }
}

fn gpu(name: &str, instance_labels: &[&str], gpu_labels: &[&str]) -> GpuRule {
    GpuRule {
        name: name.to_owned(),
        instance_labels: owned(instance_labels),
        gpu_labels: owned(gpu_labels),
        same_host: false,
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
