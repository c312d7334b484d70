"""Writes stats.json: what SciPy, scikit-learn and statsmodels say of inputs that the Rust tests compute again.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python stats.py
"""

import json
import pathlib
import warnings

import numpy as np
from scipy import stats
from sklearn.cluster import DBSCAN
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.tsa.stattools import acf, grangercausalitytests

rng = np.random.default_rng(20261130)


def rounded(values):
    """Doubles as they are; JSON keeps all their digits."""
    return np.asarray(values, dtype=float).tolist()


def autoregressive(n, keep):
    series = np.zeros(n)
    for at in range(1, n):
        series[at] = keep * series[at - 1] + rng.normal()
    return series


def tails():
    return {
        "student_t": [
            [t, df, float(stats.t.sf(t, df))]
            for t in (-3.0, 0.0, 0.7, 2.5, 8.0, 40.0)
            for df in (1.0, 5.0, 25.0, 400.0)
        ],
        "f": [
            [f, a, b, float(stats.f.sf(f, a, b))]
            for f in (0.3, 1.0, 4.0, 30.0)
            for a, b in ((1.0, 20.0), (8.0, 150.0))
        ],
        "chi_square": [
            [x, df, float(stats.chi2.sf(x, df))] for x in (0.1, 3.84, 50.0, 400.0) for df in (1.0, 4.0, 12.0)
        ],
        "fisher": [
            [
                *case,
                float(
                    stats.fisher_exact(
                        [[case[0], case[1] - case[0]], [case[2], case[3] - case[2]]], alternative="greater"
                    ).pvalue
                ),
            ]
            for case in ((3, 10, 1, 12), (0, 10, 4, 50), (40, 300, 30, 4000), (9, 9, 0, 100), (120, 900, 100, 9000))
        ],
    }


def ranks():
    a = np.round(rng.normal(0.4, 1.0, 60), 1)
    b = np.round(rng.normal(0.0, 1.0, 80), 1)
    u = stats.mannwhitneyu(a, b).statistic
    return {
        "a": rounded(a),
        "b": rounded(b),
        "mid_ranks": rounded(stats.rankdata(a)),
        "cliffs_delta": float(2 * u / (len(a) * len(b)) - 1),
        "mid_rank_of_half": float(stats.percentileofscore(b, 0.5, kind="mean") / 100),
        "median": float(np.median(a)),
        "mad": float(stats.median_abs_deviation(a)),
        "quantiles": [[q, float(np.quantile(a, q))] for q in (0.0, 0.1, 0.333, 0.98, 1.0)],
        "standard_deviation": float(np.std(a, ddof=1)),
    }


def discoveries():
    p = rng.uniform(size=40) ** 3
    return {"p": rounded(p), "q": rounded(multipletests(p, method="fdr_bh")[1])}


def geyer(series):
    n = len(series)
    rho = acf(series, nlags=n - 1, fft=False)
    total, before, lag = 0.0, np.inf, 1
    while lag + 1 < n:
        pair = rho[lag] + rho[lag + 1]
        if pair <= 0:
            break
        before = min(before, pair)
        total += before
        lag += 2
    return float(min(max(1.0, 1 + 2 * total), n / 4))


def memory():
    cases = []
    for keep in (0.0, 0.6, 0.95):
        series = autoregressive(240, keep)
        cases.append(
            {"series": rounded(series), "acf": rounded(acf(series, nlags=6, fft=False)), "time": geyer(series)}
        )
    return cases


def tables():
    cases = []
    for _ in range(4):
        table = rng.integers(1, 60, size=(int(rng.integers(2, 6)), int(rng.integers(2, 4))))
        chi2, _, freedom, _ = stats.chi2_contingency(table, correction=False)
        n, (r, c) = table.sum(), table.shape
        phi = max(0.0, chi2 / n - (r - 1) * (c - 1) / (n - 1))
        rr, cc = r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)
        cases.append(
            {
                "table": rounded(table),
                "chi_square": float(chi2),
                "freedom": float(freedom),
                "v": float(np.sqrt(phi / min(rr - 1, cc - 1))),
            }
        )
    return cases


def distances():
    cases = []
    for shift in (0.0, 0.4, 2.0):
        a, b = np.sort(rng.normal(0, 1, 90)), np.sort(rng.normal(shift, 1, 120))
        found = stats.ks_2samp(a, b, method="asymp")
        # SciPy takes the Smirnov distribution of the rounded effective size; this is Kolmogorov's limit itself.
        limit = stats.kstwobign.sf(found.statistic * np.sqrt(len(a) * len(b) / (len(a) + len(b))))
        cases.append(
            {"a": rounded(a), "b": rounded(b), "distance": float(found.statistic), "p_value": float(limit)}
        )
    return cases


def changes():
    series = np.concatenate([rng.normal(0, 1, 70), rng.normal(1.5, 1, 45)])
    costs = [np.var(series[:k]) * k + np.var(series[k:]) * (len(series) - k) for k in range(1, len(series))]
    best = int(np.argmin(costs))
    total = np.var(series) * len(series)
    return {
        "series": rounded(series),
        "at": best + 1,
        "explained": float(1 - costs[best] / total),
        "step": float(series[best + 1 :].mean() - series[: best + 1].mean()),
    }


def components():
    points = rng.normal(size=(120, 5)) @ rng.normal(size=(5, 5))
    found = PCA(n_components=3).fit(points)
    directions = [row * np.sign(row[np.argmax(np.abs(row))]) for row in found.components_]
    return {
        "points": rounded(points),
        "variances": rounded(found.explained_variance_),
        "shares": rounded(found.explained_variance_ratio_),
        "directions": rounded(directions),
    }


def clusters():
    centers = np.array([[0, 0, 0], [4, 0, 1], [0, 5, 2]])
    points = np.vstack([rng.normal(center, 0.5, size=(80, 3)) for center in centers] + [rng.uniform(-4, 9, (30, 3))])
    weights = rng.integers(1, 4, size=len(points))
    weighted = DBSCAN(eps=0.6, min_samples=10).fit(points, sample_weight=weights)
    plain = DBSCAN(eps=0.6, min_samples=10).fit(points)
    tenth = NearestNeighbors(n_neighbors=10).fit(points).kneighbors(points)[0][:, -1]
    return {
        "points": rounded(points),
        "weights": weights.tolist(),
        "radius": 0.6,
        "core": 10,
        "labels": plain.labels_.tolist(),
        "cores": sorted(plain.core_sample_indices_.tolist()),
        "weighted_labels": weighted.labels_.tolist(),
        "weighted_cores": sorted(weighted.core_sample_indices_.tolist()),
        "tenth_neighbour": rounded(tenth),
    }


def foretelling():
    cases = []
    for delay, strength in ((3, 0.8), (5, 0.3), (2, 0.0)):
        x = rng.normal(size=180)
        y = rng.normal(size=180)
        y[delay:] += strength * x[:-delay]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            most = 8
            aics = []
            for lag in range(1, most + 1):
                # The same rows for each lag, so that the criteria can be compared.
                rows = np.column_stack([y, x])[most - lag :]
                full = grangercausalitytests(rows, [lag], verbose=False)[lag][1][1]
                n = len(rows) - lag
                aics.append(n * np.log(full.ssr / n) + 2 * (2 * lag + 1))
            lag = int(np.argmin(aics)) + 1
            test = grangercausalitytests(np.column_stack([y, x]), [lag], verbose=False)[lag][0]["ssr_ftest"]
        cases.append(
            {"cause": rounded(x), "effect": rounded(y), "lag": lag, "f": float(test[0]), "p_value": float(test[1])}
        )
    return cases


def intervals():
    cases = ((0, 20), (3, 20), (20, 20), (412, 1000))
    return [[hits, of, *map(float, proportion_confint(hits, of, alpha=0.05, method="wilson"))] for hits, of in cases]


golden = {
    "tails": tails(),
    "ranks": ranks(),
    "discoveries": discoveries(),
    "memory": memory(),
    "tables": tables(),
    "distances": distances(),
    "changes": changes(),
    "components": components(),
    "clusters": clusters(),
    "foretelling": foretelling(),
    "intervals": intervals(),
}
path = pathlib.Path(__file__).with_name("stats.json")
path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
