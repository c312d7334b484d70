use std::sync::Arc;

use super::*;
use crate::axes::series::{Kind, Labels, Part, Series, SeriesId};

fn series(name: &str, labels: &[(&str, &str)]) -> (SeriesId, Series) {
    let pairs = labels
        .iter()
        .map(|(name, value)| (Arc::from(*name), Arc::from(*value)));
    let labels = Labels::new(pairs);
    let id = SeriesId::of(crate::ProjectId(uuid::Uuid::nil()), name, &labels);
    (
        id,
        Series::new(name.into(), labels, (Kind::Gauge, Part::Whole), "".into()),
    )
}

fn engine(labels: &[(&str, &str)]) -> (SeriesId, Series) {
    series("vllm:num_requests_running", labels)
}

fn gpu(labels: &[(&str, &str)]) -> (SeriesId, Series) {
    series("DCGM_FI_DEV_POWER_USAGE", labels)
}

fn signs(request: &[(&str, &str)], server: &[(&str, &str)], model: &str) -> Signs {
    let pairs = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(key, value)| (Arc::from(*key), Arc::from(*value)));
        pairs.collect()
    };
    Signs {
        request: pairs(request),
        server: pairs(server),
        model: Some(Arc::from(model)).filter(|model: &Arc<str>| !model.is_empty()),
    }
}

/// The name of the instance, and of the rule that found it.
fn served<'a>(fleet: &'a Fleet, signs: &Signs) -> Option<(&'a str, String)> {
    let found = Topology::default().serving(fleet, signs)?;
    Some((
        fleet.instances[found.instance].name.as_ref(),
        found.rule.to_string(),
    ))
}

/// The GPUs of each instance, and the rule that found them.
fn gpus(fleet: &Fleet) -> Vec<(Vec<&str>, Option<&str>)> {
    let all = fleet.gpus_of.iter().zip(&fleet.found_by);
    all.map(|(gpus, rule)| {
        let names = gpus.iter().map(|gpu| fleet.gpus[*gpu].name.as_ref());
        (names.collect(), rule.as_deref())
    })
    .collect()
}

#[test]
fn each_usual_rule_finds_its_instance() {
    let all = [
        engine(&[
            ("instance", "10.0.0.1:8000"),
            ("pod", "vllm-0"),
            ("model_name", "org/m"),
        ]),
        engine(&[
            ("instance", "10.0.0.2:8000"),
            ("pod", "vllm-1"),
            ("model_name", "org/m"),
        ]),
        engine(&[
            ("instance", "node-3:8000"),
            ("node", "node-3"),
            ("model_name", "org/other"),
        ]),
    ];
    let fleet = Fleet::new(&all, &Topology::default());
    for (told, expected) in [
        (
            signs(&[("llm.infer.instance", "vllm-1")], &[], ""),
            Some(("10.0.0.2:8000", "told_instance")),
        ),
        (
            signs(&[], &[("service.instance.id", "10.0.0.1:8000")], ""),
            Some(("10.0.0.1:8000", "engine_instance")),
        ),
        (
            signs(&[], &[("k8s.pod.name", "vllm-1")], ""),
            Some(("10.0.0.2:8000", "engine_pod")),
        ),
        (
            signs(
                &[("server.address:server.port", "http://10.0.0.1:8000/")],
                &[],
                "m",
            ),
            Some(("10.0.0.1:8000", "address")),
        ),
        (
            signs(&[], &[("server.address:server.port", "10.0.0.2:8000")], ""),
            Some(("10.0.0.2:8000", "engine_address")),
        ),
        (
            signs(&[("server.address", "10.0.0.1")], &[], ""),
            Some(("10.0.0.1:8000", "host")),
        ),
        (
            signs(&[], &[("host.name", "node-3")], "other"),
            Some(("node-3:8000", "engine_host")),
        ),
        (
            signs(&[], &[], "ORG/other"),
            Some(("node-3:8000", "only_one_of_model")),
        ),
        // Two serve it, none does, and another engine runs on the host.
        (signs(&[], &[], "m"), None),
        (signs(&[], &[], "gpt-4o"), None),
        (signs(&[], &[("host.name", "node-3")], "m"), None),
        (signs(&[], &[], ""), None),
    ] {
        let expected = expected.map(|(instance, rule)| (instance, rule.to_owned()));
        assert_eq!(served(&fleet, &told), expected, "{told:?}");
    }
}

#[test]
fn what_fits_several_is_left_to_the_rules_after_it() {
    let all = [
        engine(&[("instance", "a:8000"), ("node", "n"), ("model_name", "m")]),
        engine(&[
            ("instance", "a:8001"),
            ("node", "n"),
            ("model_name", "other"),
        ]),
        engine(&[
            ("instance", "b:8000"),
            ("node", "b"),
            ("model_name", "unique"),
        ]),
    ];
    let fleet = Fleet::new(&all, &Topology::default());
    let told = signs(&[("server.address", "a")], &[], "other");
    assert_eq!(
        served(&fleet, &told),
        Some(("a:8001", "only_one_of_model".to_owned()))
    );
    // Once some fit, no rule leads elsewhere.
    assert_eq!(
        served(&fleet, &signs(&[("server.address", "a")], &[], "unique")),
        None
    );
}

#[test]
fn gpus_are_found_by_id_pod_or_host_and_belong_to_one() {
    let pod = |pod: &'static str| {
        engine(&[
            ("instance", pod),
            ("pod", pod),
            ("namespace", "llm"),
            ("model_name", "m"),
        ])
    };
    let of_pod = |id: &'static str, pod: &'static str, namespace: &'static str| {
        let labels = [
            ("UUID", id),
            ("pod", "dcgm-x"),
            ("exported_pod", pod),
            ("exported_namespace", namespace),
            ("Hostname", "n"),
        ];
        gpu(&labels)
    };
    let all = [
        pod("v-0"),
        pod("v-1"),
        of_pod("GPU-1", "v-0", "llm"),
        of_pod("GPU-2", "v-0", "llm"),
        of_pod("GPU-3", "v-1", "elsewhere"),
    ];
    let fleet = Fleet::new(&all, &Topology::default());
    assert_eq!(
        gpus(&fleet),
        [(vec!["1", "2"], Some("pod")), (vec![], None)]
    );
    let alone = [
        engine(&[("instance", "node-1:8000")]),
        gpu(&[("UUID", "GPU-1"), ("Hostname", "node-1")]),
    ];
    assert_eq!(
        gpus(&Fleet::new(&alone, &Topology::default())),
        [(vec!["1"], Some("host"))]
    );
    let shared = [
        engine(&[("instance", "node-1:8000")]),
        engine(&[("instance", "node-1:8001")]),
        gpu(&[("UUID", "GPU-1"), ("Hostname", "node-1")]),
    ];
    assert_eq!(
        gpus(&Fleet::new(&shared, &Topology::default())),
        [(vec![], None), (vec![], None)]
    );
    let told = [
        engine(&[("instance", "w:1")]),
        series(
            "dynamo_component_gpu_info",
            &[("instance", "w:1"), ("gpu_uuid", "GPU-9")],
        ),
        gpu(&[("UUID", "gpu-9"), ("GPU_I_ID", "3")]),
    ];
    assert_eq!(
        gpus(&Fleet::new(&told, &Topology::default())),
        [(vec!["9/3"], Some("gpu_id"))]
    );
    let triton = [
        series(
            "nv_inference_pending_request_count",
            &[("instance", "t:8002"), ("model", "m")],
        ),
        series(
            "nv_gpu_utilization",
            &[("instance", "t:8002"), ("gpu_uuid", "GPU-7")],
        ),
    ];
    assert_eq!(
        gpus(&Fleet::new(&triton, &Topology::default())),
        [(vec!["7"], Some("same_target"))]
    );
}

#[test]
fn proxies_are_no_instances_and_of_several_sources_the_best_counts() {
    let all = [
        series(
            "litellm_input_tokens_metric_total",
            &[("instance", "proxy:4000")],
        ),
        engine(&[("instance", "a:8000")]),
        series("vllm:gpu_cache_usage_perc", &[("instance", "a:8000")]),
        series("vllm:kv_cache_usage_perc", &[("instance", "a:8000")]),
    ];
    let fleet = Fleet::new(&all, &Topology::default());
    assert_eq!(fleet.instances.len(), 1);
    assert_eq!(
        fleet.instances[0].series["token.kv_cache_usage"],
        [all[3].0]
    );
}

#[test]
fn the_usual_rules_are_rules_that_could_be_set() {
    let usual = Topology::default();
    let json = serde_json::to_string(&usual).unwrap();
    assert_eq!(Topology::parse(&json).unwrap(), usual);
}

#[test]
fn names_are_compared_as_people_write_them() {
    assert!(same::fits("10.0.0.1", "10.0.0.1:8000") && !same::fits("10.0.0.1:9", "10.0.0.1:8000"));
    assert!(!same::fits("10.0.0.1:8000", "10.0.0.1"));
    assert_eq!(same::host("[fe80::1]:8000"), "[fe80::1]");
    assert_eq!(same::host("fe80::1"), "fe80::1");
    assert!(
        same::model("hosted_vllm/Org/M", "org/m")
            && !same::model("am", "m")
            && !same::model("", "m")
    );
}
