//! Days, with what each model was used for.

use serde_json::json;

use super::super::found;
use super::measured;

#[tokio::test]
async fn each_day_has_its_traces_observations_and_models() {
    let client = measured().await;
    let days = found(&client, "/metrics/daily").await;
    let nothing = json!({
        "model": null, "inputUsage": 0, "outputUsage": 0, "totalUsage": 0, "totalCost": 0,
        "countObservations": 1, "countTraces": 1,
    });
    let model = |name: &str, input: u32, output: u32, cost: f64| {
        json!({
            "model": name, "inputUsage": input, "outputUsage": output,
            "totalUsage": input + output, "totalCost": cost, "countObservations": 1, "countTraces": 1,
        })
    };
    assert_eq!(
        days,
        json!({
            "data": [
                {"date": "2026-11-05", "countTraces": 1, "countObservations": 1, "totalCost": 0,
                 "usage": [nothing]},
                {"date": "2026-11-03", "countTraces": 1, "countObservations": 2, "totalCost": 0.7,
                 "usage": [model("m-one", 10, 20, 0.3), model("m-two", 5, 5, 0.4)]},
            ],
            "meta": {"page": 1, "limit": 50, "totalItems": 2, "totalPages": 1},
        })
    );
    let second = found(&client, "/metrics/daily?limit=1&page=2").await;
    assert_eq!(second["data"], json!([days["data"][1]]));
    for (query, dates) in [
        ("traceName=batch", json!(["2026-11-05"])),
        ("userId=u1", json!(["2026-11-03"])),
        ("tags=x&tags=y", json!(["2026-11-03"])),
        ("tags=z", json!([])),
        (
            "environment=default,other",
            json!(["2026-11-05", "2026-11-03"]),
        ),
        ("fromTimestamp=2026-11-04T00:00:00Z", json!(["2026-11-05"])),
        ("toTimestamp=2026-11-05T00:00:00Z", json!(["2026-11-03"])),
    ] {
        let days = found(&client, &format!("/metrics/daily?{query}")).await;
        let found = days["data"].as_array().unwrap().iter();
        let found: Vec<_> = found.map(|day| day["date"].clone()).collect();
        assert_eq!(json!(found), dates, "{query}");
    }
}
