//! CPU and memory of processes, from the system's own books (`/proc`, Linux).

use std::path::PathBuf;

/// Seconds of CPU that a process and its threads have used.
pub(crate) fn cpu_seconds(pid: u32) -> f64 {
    let Ok(stat) = std::fs::read_to_string(proc(pid, "stat")) else {
        return 0.0;
    };
    // The name in parentheses may hold spaces: count fields behind it.
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return 0.0;
    };
    let ticks: f64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / TICKS_PER_SECOND
}

/// Seconds of CPU of a process and all below it.
pub(crate) fn tree_cpu_seconds(pid: u32) -> f64 {
    cpu_seconds(pid) + children(pid).into_iter().map(tree_cpu_seconds).sum::<f64>()
}

/// Highest memory that a process has held, in megabytes.
pub(crate) fn peak_mb(pid: u32) -> f64 {
    let status = std::fs::read_to_string(proc(pid, "status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1000.0
}

/// Bytes on disk of each row of `spans`, as ClickHouse counts them, merged or not.
pub(crate) async fn bytes_per_span(clickhouse_url: &str) -> anyhow::Result<f64> {
    let url = reqwest::Url::parse(clickhouse_url)?;
    let mut address = url.clone();
    address.set_path("/");
    let sql = "SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts \
               WHERE active AND database = currentDatabase() AND table = 'spans'";
    let request = reqwest::Client::new()
        .post(address)
        .query(&[("database", url.path().trim_start_matches('/'))])
        .body(sql);
    let answer = request.send().await?.error_for_status()?;
    Ok(answer.text().await?.trim().parse()?)
}

/// Processors that this process may use.
pub(crate) fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(1))
}

/// `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that matters.
const TICKS_PER_SECOND: f64 = 100.0;

fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = std::fs::read_dir(proc(pid, "task")) else {
        return Vec::new();
    };
    let lists = tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}

fn proc(pid: u32, file: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/{file}"))
}
