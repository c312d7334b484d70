//! What is written about the project is true: names in ARCHITECTURE.md, the compose file, the image,
//! the list of dependencies, the size of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn tracked_files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files"])
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Texts in back ticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_and_function_that_the_architecture_page_names_exists() {
    let page = read("ARCHITECTURE.md");
    let mut checked = 0;
    for line in page.lines() {
        let names: Vec<&str> = quoted(line).collect();
        let mut file = None;
        for name in names {
            let looks_like_path = name.contains('/') && !name.contains([' ', '<', '{', '*', ':']);
            if looks_like_path && !name.starts_with('/') {
                let path = root().join(name);
                assert!(
                    path.exists(),
                    "ARCHITECTURE.md names {name}, which is not there"
                );
                file = path.is_file().then_some(path);
                checked += 1;
            } else if let (Some(file), Some(function)) = (&file, name.strip_suffix("()")) {
                let source = std::fs::read_to_string(file).unwrap();
                assert!(
                    source.contains(&format!("fn {function}")),
                    "{}: no {name}",
                    file.display()
                );
                checked += 1;
            }
        }
    }
    assert!(checked >= 25, "the page names only {checked} places");
}

#[test]
fn every_test_and_file_that_the_security_page_names_exists() {
    let page = read("docs/security.md");
    let of_product = |path: &str| {
        ["server/", "web/", "docs/"]
            .iter()
            .any(|it| path.starts_with(it))
    };
    let find = |path: &str| {
        let below_tests = format!("tests/it/{path}");
        let path = match root().join(&below_tests).exists() {
            true => below_tests,
            false => path.to_owned(),
        };
        root().join(&path).exists().then_some(path)
    };
    let mut checked = 0;
    for name in quoted(&page) {
        if let Some((path, function)) = name.split_once(".rs::") {
            let path = find(&format!("{path}.rs"));
            let path =
                path.unwrap_or_else(|| panic!("docs/security.md names {name}: no such file"));
            let is_there = read(path).contains(&format!("fn {function}("));
            assert!(is_there, "docs/security.md names {name}: no such test");
            checked += 1;
        } else if of_product(name) && !name.contains([' ', '*', '{']) {
            assert!(
                find(name).is_some(),
                "docs/security.md names {name}: no such file"
            );
            checked += 1;
        }
    }
    assert!(checked >= 100, "the page names only {checked} places");
}

#[test]
fn the_compose_file_has_three_pinned_guarded_services() {
    let compose: Value = serde_norway::from_str(&read("docker-compose.yml")).unwrap();
    let services = compose["services"].as_object().unwrap();
    assert_eq!(
        services.keys().collect::<Vec<_>>(),
        ["triaxis", "clickhouse", "postgres"]
    );
    for (name, service) in services {
        let image = service["image"].as_str().unwrap();
        let version = image
            .rsplit_once(':')
            .map(|(_, version)| version)
            .unwrap_or_default();
        assert!(
            version.starts_with(|c: char| c.is_ascii_digit()),
            "{name}: {image} is not pinned"
        );
        assert!(
            service["mem_limit"].is_string(),
            "{name} has no memory limit"
        );
        assert!(
            !service["volumes"].as_array().unwrap().is_empty(),
            "{name} keeps nothing"
        );
        if name != "triaxis" {
            assert!(
                service["healthcheck"]["test"].is_array(),
                "{name} has no health check"
            );
        }
        for volume in service["volumes"].as_array().unwrap() {
            let source = volume.as_str().unwrap().split(':').next().unwrap();
            let known = source.starts_with("./") && root().join(source).exists()
                || !compose["volumes"][source].is_null()
                || compose["volumes"].as_object().unwrap().contains_key(source);
            assert!(
                known,
                "{name}: volume {source} is neither a file here nor declared"
            );
        }
    }
    let waits = &services["triaxis"]["depends_on"];
    for store in ["clickhouse", "postgres"] {
        assert_eq!(waits[store]["condition"], "service_healthy");
    }
    let environment = services["triaxis"]["environment"].as_object().unwrap();
    for variable in environment.keys() {
        let settings = read("server/app/src/config/mod.rs");
        assert!(
            settings.contains(variable.as_str()),
            "{variable} is no setting of ours"
        );
    }
}

#[test]
fn the_image_is_built_in_stages_and_runs_as_nobody_special() {
    let lines: Vec<String> = read("Dockerfile").lines().map(str::to_owned).collect();
    let all = |word: &str| -> Vec<&str> {
        lines
            .iter()
            .filter_map(|line| line.strip_prefix(word))
            .map(str::trim)
            .collect()
    };
    let stages = all("FROM ");
    assert!(stages.len() >= 2, "{stages:?}");
    assert!(
        stages
            .iter()
            .all(|stage| stage.contains(':') && !stage.contains(":latest"))
    );
    assert!(all("COPY --from=build").len() == 1);
    assert!(all("USER ").iter().all(|user| *user != "root") && !all("USER ").is_empty());
    assert_eq!(all("HEALTHCHECK ").len(), 1);
    assert_eq!(all("ENTRYPOINT "), [r#"["triaxis"]"#]);
}

#[test]
fn every_dependency_has_its_line_of_reason() {
    let manifest: toml::Value = toml::from_str(&read("Cargo.toml")).unwrap();
    let page = read("docs/dependencies.md");
    let named: BTreeSet<&str> = quoted(&page).collect();
    let dependencies = manifest["workspace"]["dependencies"].as_table().unwrap();
    let missing: Vec<&String> = dependencies
        .iter()
        .filter(|(_, value)| value.get("path").is_none())
        .map(|(name, _)| name)
        .filter(|name| !named.contains(name.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/dependencies.md says nothing of {missing:?}"
    );
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    for file in tracked_files() {
        let counts = [".rs", ".html", ".css", ".js", ".sql"]
            .iter()
            .any(|end| file.ends_with(end));
        if counts && !file.contains("/vendor/") && root().join(&file).exists() {
            let lines = read(&file).lines().count();
            assert!(
                lines <= 500,
                "{file} has {lines} lines: split it by responsibility"
            );
        }
    }
}

#[test]
fn ignored_tests_and_open_ends_are_not_kept() {
    let marks = [
        concat!("#[ign", "ore"),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
    ];
    for file in tracked_files() {
        if file.ends_with(".rs") && root().join(&file).exists() {
            let source = read(&file);
            for mark in marks {
                assert!(!source.contains(mark), "{file} has {mark}");
            }
        }
    }
}
