//! How many spans were at work at each time of a trace.

use domain::tree::activity::Column as AtWork;

use super::density::Column;
use super::number;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 100.0;
/// Room above the highest column.
const HEADROOM: f64 = 0.92;
/// One span shows even beside a thousand.
const LEAST: f64 = 4.0;

/// Columns in a box of 1000 × 100, failures over all. Heights are by the square root: one span at work can be told
/// from none where hundreds were at another time.
pub(crate) fn draw(columns: &[AtWork]) -> Vec<Column> {
    let pitch = WIDTH / columns.len().max(1) as f64;
    let most = columns.iter().map(|column| column.at_work).max();
    let most = (most.unwrap_or(0).max(1) as f64).sqrt();
    let mut drawn = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        for (class, amount) in [("v", column.at_work), ("e", column.failed)] {
            if amount > 0 {
                let height = ((amount as f64).sqrt() / most * HEIGHT * HEADROOM).max(LEAST);
                drawn.push(Column {
                    class,
                    x: number(at as f64 * pitch),
                    y: number(HEIGHT - height),
                    width: number(pitch),
                    height: number(height),
                });
            }
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_side_by_side_and_within_their_box() {
        let columns: Vec<AtWork> = (0..50)
            .map(|n| AtWork {
                at_work: n * n,
                failed: u64::from(n % 10 == 9),
            })
            .collect();
        let drawn = draw(&columns);
        assert_eq!(drawn.iter().filter(|column| column.class == "e").count(), 5);
        for column in &drawn {
            let read = |text: &str| text.parse::<f64>().unwrap();
            let (x, y) = (read(&column.x), read(&column.y));
            assert!((0.0..=980.0).contains(&x) && (7.9..=96.0).contains(&y));
            assert!((y + read(&column.height) - HEIGHT).abs() < 0.02);
        }
        assert!(draw(&[]).is_empty());
    }
}
