//! Clusters by density.

use std::collections::HashMap;

/// A point in up to three dimensions, for as many equal things as it weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it is; dimensions that are not used are 0.
    pub at: [f64; 3],
    /// How many equal things it stands for, at least 1.
    pub weight: u32,
}

type Cell = [i64; 3];

/// Points by cells of a grid as wide as the radius, so that neighbours are in the 27 cells around.
pub struct Grid<'a> {
    points: &'a [Point],
    radius: f64,
    cells: HashMap<Cell, Vec<usize>>,
}

impl<'a> Grid<'a> {
    /// Points whose neighbours within `radius` > 0 will be asked for.
    pub fn new(points: &'a [Point], radius: f64) -> Self {
        let mut cells: HashMap<Cell, Vec<usize>> = HashMap::new();
        for (index, point) in points.iter().enumerate() {
            cells.entry(cell(point.at, radius)).or_default().push(index);
        }
        Grid {
            points,
            radius,
            cells,
        }
    }

    /// Points within the radius of a point, itself among them.
    fn neighbours(&self, of: usize) -> Vec<usize> {
        let center = self.points[of].at;
        let [x, y, z] = cell(center, self.radius);
        let mut found = Vec::new();
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let around = [
                        x.saturating_add(dx),
                        y.saturating_add(dy),
                        z.saturating_add(dz),
                    ];
                    let Some(here) = self.cells.get(&around) else {
                        continue;
                    };
                    found.extend(here.iter().copied().filter(|other| {
                        square_distance(center, self.points[*other].at) <= self.radius * self.radius
                    }));
                }
            }
        }
        found
    }
}

/// Cluster of each point, from 0; `None` is noise. A point is a core when things within `radius`, itself among them,
/// weigh `min_weight` or more; clusters are cores that reach each other, with what is near to them. Clusters are
/// numbered by their first point, and a border point goes to the first cluster that reaches it. Ester et al., 1996.
pub fn dbscan(points: &[Point], radius: f64, min_weight: u32) -> Vec<Option<usize>> {
    let mut labels: Vec<Option<usize>> = vec![None; points.len()];
    if radius.is_nan() || radius <= 0.0 || points.iter().any(|point| !is_finite(point)) {
        return labels;
    }
    let grid = Grid::new(points, radius);
    let neighbours: Vec<Vec<usize>> = (0..points.len()).map(|at| grid.neighbours(at)).collect();
    let is_core: Vec<bool> = neighbours
        .iter()
        .map(|near| {
            let weight = near.iter().map(|at| u64::from(points[*at].weight));
            weight.sum::<u64>() >= u64::from(min_weight)
        })
        .collect();
    let mut next = 0;
    for seed in 0..points.len() {
        if !is_core[seed] || labels[seed].is_some() {
            continue;
        }
        labels[seed] = Some(next);
        let mut open = vec![seed];
        while let Some(core) = open.pop() {
            for near in &neighbours[core] {
                if labels[*near].is_none() {
                    labels[*near] = Some(next);
                    if is_core[*near] {
                        open.push(*near);
                    }
                }
            }
        }
        next += 1;
    }
    labels
}

/// Distance of each of the points at `of` to its `nth` neighbour by weight, itself counted; infinite where there are
/// fewer.
pub fn neighbour_distances(points: &[Point], of: &[usize], nth: u32) -> Vec<f64> {
    of.iter()
        .filter_map(|at| points.get(*at))
        .map(|point| {
            let mut near: Vec<(f64, u32)> = points
                .iter()
                .map(|other| (square_distance(point.at, other.at), other.weight))
                .collect();
            nth_by_weight(&mut near, nth).map_or(f64::INFINITY, f64::sqrt)
        })
        .collect()
}

fn nth_by_weight(near: &mut [(f64, u32)], nth: u32) -> Option<f64> {
    // No more than `nth` points can be needed, for each weighs one at least.
    let most = usize::try_from(nth).unwrap_or(usize::MAX).min(near.len());
    if most < near.len() {
        near.select_nth_unstable_by(most, |one, other| one.0.total_cmp(&other.0));
    }
    let nearest = &mut near[..most];
    nearest.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let mut weight = 0_u32;
    for (distance, more) in nearest {
        weight = weight.saturating_add(*more);
        if weight >= nth {
            return Some(*distance);
        }
    }
    None
}

fn square_distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    let along = |at: usize| (one[at] - other[at]).powi(2);
    along(0) + along(1) + along(2)
}

fn is_finite(point: &Point) -> bool {
    point.at.iter().all(|x| x.is_finite())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "what is too far away shares the outermost cell, and distances are compared anyway"
)]
fn cell(at: [f64; 3], radius: f64) -> Cell {
    at.map(|x| (x / radius).floor() as i64)
}
