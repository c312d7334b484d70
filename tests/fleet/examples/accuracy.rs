use fleet::accuracy::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let from: u64 = a[1].parse().unwrap();
    let to: u64 = a[2].parse().unwrap();
    let verbose = a.get(3).map(|s| s.as_str());
    let all: Vec<Outcome> = outcomes(from..to).collect();
    let t = by_cause(&all);
    for (name, t) in &t {
        println!(
            "{name:<26} n={:<4} axis {:>5.1}%  culprit {:>3}/{:<3} vote {:>3}  {:?}",
            t.windows,
            100.0 * t.axis_right as f64 / t.windows as f64,
            t.culprit_right,
            t.with_culprit,
            t.vote_right,
            t.named
        );
    }
    let s = Tally::sum(t.values());
    println!(
        "all axis {:.1}% culprit {:.1}% vote {:.1}%",
        100.0 * s.axis_right as f64 / s.windows as f64,
        100.0 * s.culprit_right as f64 / s.with_culprit as f64,
        100.0 * s.vote_right as f64 / s.windows as f64
    );
    if let Some(filter) = verbose {
        for o in &all {
            let bad = !o.axis_is_right || o.culprit_is_right == Some(false);
            if bad && (filter == "all" || o.scenario.cause.name().contains(filter)) {
                let s = &o.scenario;
                println!(
                    "\n== seed {} {:?}\n   inst {} rps {:.1} lead {:.0} len {} miss {} rollout {:?} symptom {:?}",
                    s.seed,
                    s.cause,
                    s.instances,
                    s.requests_per_s,
                    s.alert_at - s.begins_at,
                    s.alert_s,
                    s.missing_scrapes,
                    s.harmless_rollout,
                    s.symptom
                );
                println!("   truth {:?}", s.truth());
                if let Some(a) = &o.answer {
                    println!(
                        "   -> {:?} conf {:.2} p {:.2e} n {}",
                        a.axis, a.confidence, a.symptom_p_value, a.requests_considered
                    );
                    for r in &a.reasons {
                        println!("      {r}");
                    }
                    for f in a.features.iter().take(7) {
                        println!(
                            "      f {} eff {:.2} q {:.1e} share {:.2} lead {:?} gr {:?} {:?}",
                            f.series,
                            f.effect,
                            f.q_value,
                            f.share,
                            f.leads_symptom_by_s,
                            f.granger_p,
                            f.group.as_ref().map(|g| g.value.clone())
                        );
                    }
                    for c in a.culprits.iter().take(4) {
                        println!(
                            "      c {} {} score {:.2} {:?} q {:.1e}",
                            c.dimension, c.value, c.score, c.evidence, c.q_value
                        );
                    }
                }
            }
        }
    }
}
