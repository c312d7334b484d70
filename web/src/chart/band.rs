//! A value on the track of what is usual, in percent of the track.

use super::number;
use super::scale::Scale;

/// What is usual of a value, and the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Usual {
    /// The lower and the upper edge of what is usual.
    pub(crate) band: (f64, f64),
    /// Its middle.
    pub(crate) middle: f64,
    /// Least and greatest value that was seen.
    pub(crate) extent: (f64, f64),
    /// Whether it says yes or no: its track then goes from no to yes.
    pub(crate) is_flag: bool,
}

/// The mark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BandMark {
    /// Left edge of the band.
    pub(crate) from: String,
    /// Its width.
    pub(crate) width: String,
    /// The middle.
    pub(crate) middle: String,
    /// The value; empty where it is unknown.
    pub(crate) value: String,
}

/// The least width of a band that can be seen.
const LEAST: f64 = 1.5;
/// Marks at the ends of the track are not cut.
const EDGE: f64 = 2.0;

/// Draws it.
pub(crate) fn draw(usual: &Usual, value: Option<f64>) -> BandMark {
    let (low, high) = match usual.is_flag {
        true => (0.0, 1.0),
        false => {
            let reached = value.unwrap_or(usual.middle);
            (usual.extent.0.min(reached), usual.extent.1.max(reached))
        }
    };
    let scale = Scale::between(low, high);
    let place = |value: f64| EDGE + scale.share(value) * (100.0 - 2.0 * EDGE) / 100.0;
    let (from, to) = (place(usual.band.0), place(usual.band.1));
    let width = (to - from).max(LEAST);
    BandMark {
        from: number(from.min(100.0 - width)),
        width: number(width),
        middle: number(place(usual.middle)),
        value: value.map_or_else(String::new, |value| number(place(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_stands_beside_its_band_when_it_is_not_usual() {
        let usual = Usual {
            band: (20.0, 40.0),
            middle: 30.0,
            extent: (0.0, 50.0),
            is_flag: false,
        };
        let number = |text: &str| text.parse::<f64>().unwrap();
        let far = draw(&usual, Some(100.0));
        assert_eq!(far.value, "98");
        assert!(number(&far.from) + number(&far.width) < 98.0);
        let inside = draw(&usual, Some(30.0));
        assert_eq!(inside.value, inside.middle);
        assert_eq!(draw(&usual, None).value, "");
        let flag = Usual {
            band: (0.98, 0.98),
            middle: 0.98,
            extent: (0.0, 1.0),
            is_flag: true,
        };
        assert_eq!(draw(&flag, Some(0.0)).value, "2");
    }
}
