//! A graph in layers from top to bottom, as Sugiyama, Tagawa and Toda (1981) draw one: circles are cut, each node
//! stands below all that lead to it, and neighbours are ordered so that few edges cross. A layer that is too wide
//! goes on in further rows.

use super::number;

/// Room between rows, where edges and their labels are.
const ROW_GAP: f64 = 64.0;
/// Room between rows of one layer.
const WRAP_GAP: f64 = 20.0;
/// Room between neighbours.
const GAP: f64 = 20.0;
/// Room around the whole, and at the right for edges that lead back.
const MARGIN: f64 = 16.0;
const BACK_MARGIN: f64 = 56.0;
/// Wider rows are parted, as far as they have more than one node.
const MAX_ROW: f64 = 900.0;
/// Passes that bring neighbours into order.
const SWEEPS: usize = 4;

/// Where a node stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spot {
    /// Left edge.
    pub(crate) x: f64,
    /// Top edge.
    pub(crate) y: f64,
    /// Width.
    pub(crate) width: f64,
    /// Height.
    pub(crate) height: f64,
}

/// How an edge runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    /// Path of the line.
    pub(crate) line: String,
    /// Path of the tip.
    pub(crate) tip: String,
    /// Where its label stands.
    pub(crate) label: (f64, f64),
    /// Whether its label ends there, and does not begin: on the side that the line does not come from.
    pub(crate) is_left: bool,
    /// Whether it leads back, or to where it came from.
    pub(crate) is_back: bool,
}

/// The drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// As many as there were sizes.
    pub(crate) spots: Vec<Spot>,
    /// As many as there were edges.
    pub(crate) routes: Vec<Route>,
}

/// Lays out nodes of some sizes (width, height) and the edges between them.
pub(crate) fn lay_out(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> Layout {
    let is_back = back_edges(sizes.len(), edges);
    let forward: Vec<(usize, usize)> = edges
        .iter()
        .zip(&is_back)
        .filter(|(edge, is_back)| !**is_back && edge.0 != edge.1)
        .map(|(edge, _)| *edge)
        .collect();
    let mut layers = layers(sizes.len(), &forward);
    order(&mut layers, &forward, sizes.len());
    let (spots, width, height) = place(&layers, sizes);
    let has_back = is_back.contains(&true);
    let routes = edges
        .iter()
        .zip(is_back)
        .map(|(&(from, to), is_back)| match is_back {
            true => back(spots[from], spots[to], width),
            false => down(spots[from], spots[to]),
        })
        .collect();
    Layout {
        width: width + if has_back { BACK_MARGIN } else { 0.0 },
        height,
        spots,
        routes,
    }
}

/// Which edges close a circle, on a walk from the first node on; an edge to its own node does.
fn back_edges(nodes: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (index, (from, _)) in edges.iter().enumerate() {
        after[*from].push(index);
    }
    let mut is_back = vec![false; edges.len()];
    let (mut entered, mut is_open) = (vec![false; nodes], vec![false; nodes]);
    for start in 0..nodes {
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if !entered[start] {
            (entered[start], is_open[start]) = (true, true);
            stack.push((start, 0));
        }
        while let Some((node, next)) = stack.pop() {
            let Some(&edge) = after[node].get(next) else {
                is_open[node] = false;
                continue;
            };
            stack.push((node, next + 1));
            let to = edges[edge].1;
            is_back[edge] = is_open[to];
            if !entered[to] {
                (entered[to], is_open[to]) = (true, true);
                stack.push((to, 0));
            }
        }
    }
    is_back
}

/// Nodes by layer: each as far down as the longest way that leads to it. The edges make no circle.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut waiting = vec![0usize; nodes];
    for (_, to) in edges {
        waiting[*to] += 1;
    }
    let mut depth = vec![0usize; nodes];
    let mut ready: Vec<usize> = (0..nodes).filter(|node| waiting[*node] == 0).collect();
    while let Some(node) = ready.pop() {
        for (_, to) in edges.iter().filter(|(from, _)| *from == node) {
            depth[*to] = depth[*to].max(depth[node] + 1);
            waiting[*to] -= 1;
            if waiting[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |deepest| deepest + 1)];
    for (node, depth) in depth.into_iter().enumerate() {
        layers[depth].push(node);
    }
    layers
}

/// Orders each layer by the middle of a node's neighbours in the layers before, then after, and so on.
fn order(layers: &mut [Vec<usize>], edges: &[(usize, usize)], nodes: usize) {
    let mut place = vec![0.0; nodes];
    let note = |place: &mut Vec<f64>, layer: &[usize]| {
        for (at, node) in layer.iter().enumerate() {
            place[*node] = (at as f64 + 0.5) / layer.len() as f64;
        }
    };
    for layer in layers.iter() {
        note(&mut place, layer);
    }
    for sweep in 0..SWEEPS {
        let from_above = sweep % 2 == 0;
        for layer in layers.iter_mut() {
            let middle = |node: usize| {
                let neighbours = edges.iter().filter_map(|(from, to)| match from_above {
                    true => (*to == node).then_some(*from),
                    false => (*from == node).then_some(*to),
                });
                let places: Vec<f64> = neighbours.map(|other| place[other]).collect();
                match places.len() {
                    0 => place[node],
                    count => places.iter().sum::<f64>() / count as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = layer.iter().map(|n| (middle(*n), *n)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *layer = keyed.into_iter().map(|(_, node)| node).collect();
            note(&mut place, layer);
        }
    }
}

/// Rows one below the other, each in the middle.
fn place(layers: &[Vec<usize>], sizes: &[(f64, f64)]) -> (Vec<Spot>, f64, f64) {
    let mut rows: Vec<(Vec<usize>, f64)> = Vec::new();
    for layer in layers {
        let mut row = Vec::new();
        let mut width = 0.0;
        for &node in layer {
            if !row.is_empty() && width + GAP + sizes[node].0 > MAX_ROW {
                rows.push((std::mem::take(&mut row), WRAP_GAP));
                width = 0.0;
            }
            width += sizes[node].0 + if row.is_empty() { 0.0 } else { GAP };
            row.push(node);
        }
        rows.push((row, ROW_GAP));
    }
    let width_of = |row: &[usize]| {
        let nodes: f64 = row.iter().map(|node| sizes[*node].0).sum();
        nodes + GAP * row.len().saturating_sub(1) as f64
    };
    let widest = rows
        .iter()
        .map(|(row, _)| width_of(row))
        .fold(0.0, f64::max);
    let mut spots = vec![Spot::default(); sizes.len()];
    let mut y = MARGIN;
    let mut bottom = MARGIN;
    for (row, gap) in &rows {
        let mut x = MARGIN + (widest - width_of(row)) / 2.0;
        let tallest = row.iter().map(|node| sizes[*node].1).fold(0.0, f64::max);
        for &node in row {
            let (width, height) = sizes[node];
            spots[node] = Spot {
                x,
                y: y + (tallest - height) / 2.0,
                width,
                height,
            };
            x += width + GAP;
        }
        bottom = y + tallest;
        y = bottom + gap;
    }
    (spots, widest + 2.0 * MARGIN, bottom + MARGIN)
}

fn down(from: Spot, to: Spot) -> Route {
    let (x1, y1) = (from.x + from.width / 2.0, from.y + from.height);
    let (x2, y2) = (to.x + to.width / 2.0, to.y - 6.0);
    let bend = ((y2 - y1) / 2.0).max(12.0);
    Route {
        line: path(&[x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2]),
        tip: format!("M{} {}l-4 -8h8z", number(x2), number(y2 + 6.0)),
        label: (x2 + if x1 > x2 { -10.0 } else { 10.0 }, y2 - 22.0),
        is_left: x1 > x2,
        is_back: false,
    }
}

/// Around the right side of everything.
fn back(from: Spot, to: Spot, width: f64) -> Route {
    let (x1, y1) = (from.x + from.width, from.y + from.height / 2.0 + 6.0);
    let (x2, y2) = (to.x + to.width + 6.0, to.y + to.height / 2.0 - 6.0);
    let is_same = from == to;
    let out = match is_same {
        true => x1 + 40.0,
        false => width + BACK_MARGIN / 2.0,
    };
    Route {
        line: path(&[x1, y1, out, y1, out, y2, x2, y2]),
        tip: format!("M{} {}l8 -4v8z", number(x2 - 6.0), number(y2)),
        label: ((x1.max(x2) + 3.0 * out) / 4.0, f64::midpoint(y1, y2)),
        is_left: false,
        is_back: true,
    }
}

fn path(points: &[f64; 8]) -> String {
    let [x, y, a, b, c, d, e, f] = points.map(number);
    format!("M{x} {y}C{a} {b} {c} {d} {e} {f}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random and are the same each time.
    fn graph(seed: u64, nodes: usize, edges: usize) -> Vec<(usize, usize)> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 40).unwrap() % nodes
        };
        (0..edges).map(|_| (next(), next())).collect()
    }

    fn overlap(a: &Spot, b: &Spot) -> bool {
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }

    #[test]
    fn no_two_nodes_overlap_and_all_are_within_the_drawing() {
        for seed in 0..200 {
            let nodes = 1 + usize::try_from(seed).unwrap() % 40;
            let sizes: Vec<(f64, f64)> = (0..nodes)
                .map(|n| {
                    if n % 3 == 0 {
                        (200.0, 84.0)
                    } else {
                        (168.0, 40.0)
                    }
                })
                .collect();
            let edges = graph(seed, nodes, nodes * 2);
            let layout = lay_out(&sizes, &edges);
            assert_eq!(
                (layout.spots.len(), layout.routes.len()),
                (nodes, edges.len())
            );
            for (at, spot) in layout.spots.iter().enumerate() {
                assert!(spot.x >= MARGIN && spot.x + spot.width <= layout.width);
                assert!(spot.y >= MARGIN && spot.y + spot.height <= layout.height);
                let others = &layout.spots[at + 1..];
                assert!(
                    !others.iter().any(|other| overlap(spot, other)),
                    "seed {seed}"
                );
            }
        }
    }

    #[test]
    fn edges_lead_down_but_for_those_that_close_a_circle() {
        for seed in 0..100 {
            let edges = graph(seed, 20, 40);
            let layout = lay_out(&[(100.0, 40.0); 20], &edges);
            for ((from, to), route) in edges.iter().zip(&layout.routes) {
                let (from, to) = (layout.spots[*from], layout.spots[*to]);
                assert!(route.is_back || from.y + from.height < to.y, "seed {seed}");
            }
        }
        let layout = lay_out(&[(100.0, 40.0); 3], &[(0, 1), (1, 2), (2, 0), (1, 1)]);
        let back: Vec<_> = layout.routes.iter().map(|route| route.is_back).collect();
        assert_eq!(back, [false, false, true, true]);
    }

    #[test]
    fn many_neighbours_go_on_in_further_rows() {
        let edges: Vec<_> = (1..41).map(|n| (0, n)).collect();
        let layout = lay_out(&[(168.0, 40.0); 41], &edges);
        assert!(layout.width <= MAX_ROW + 2.0 * MARGIN, "{}", layout.width);
        assert!(lay_out(&[], &[]).spots.is_empty());
    }

    #[test]
    fn neighbours_stand_where_they_are_called_from() {
        // Two agents with two tools each, named in an order that would cross.
        let edges = [(0, 1), (0, 2), (1, 6), (2, 3), (1, 4), (2, 5)];
        let layout = lay_out(&[(100.0, 40.0); 7], &edges);
        let x = |node: usize| layout.spots[node].x;
        assert!(x(1) < x(2));
        assert!(x(4).max(x(6)) < x(3).min(x(5)));
    }
}
