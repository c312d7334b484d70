"""Writes agreement.json: what krippendorff, statsmodels and scikit-learn say of ratings that the Rust tests compute again.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python agreement.py

A rating that is missing is null.
"""

import json
import pathlib

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

rng = np.random.default_rng(20261130)


def listed(table):
    return [[None if np.isnan(value) else float(value) for value in row] for row in table]


def ratings(raters, units, codes, noise, missing):
    """A row for each unit: the truth, blurred by each rater, with holes."""
    truth = rng.integers(0, codes, units)
    table = np.repeat(truth[:, None], raters, axis=1).astype(float)
    blurred = rng.random(table.shape) < noise
    table[blurred] = rng.integers(0, codes, blurred.sum())
    table[rng.random(table.shape) < missing] = np.nan
    return table


def alphas():
    # The example of Krippendorff's own paper "Computing Krippendorff's alpha-reliability", then made-up ones.
    paper = np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
            [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
        ]
    ).T
    tables = [paper]
    for raters, units, codes, noise, missing in (
        (2, 40, 2, 0.2, 0.0),
        (3, 60, 5, 0.3, 0.25),
        (6, 80, 7, 0.6, 0.5),
        (4, 50, 3, 1.0, 0.1),
    ):
        tables.append(ratings(raters, units, codes, noise, missing))
    # Numbers that are no steps, with nought and negative ones among them.
    tables.append(np.round(ratings(3, 40, 9, 0.4, 0.2) * 0.75 - 2.0, 2))
    return [
        {
            "units": listed(table),
            **{
                level: float(krippendorff.alpha(reliability_data=table.T, level_of_measurement=level))
                for level in ("nominal", "ordinal", "interval")
            },
        }
        for table in tables
    ]


def kappas():
    cases = []
    for units, codes, noise in ((30, 2, 0.3), (100, 5, 0.4), (50, 3, 1.0), (12, 4, 0.0)):
        table = ratings(2, units, codes, noise, 0.0).astype(int)
        a, b = table[:, 0], table[:, 1]
        cases.append(
            {
                "pairs": table.tolist(),
                "plain": float(cohen_kappa_score(a, b)),
                "quadratic": float(cohen_kappa_score(a, b, weights="quadratic")),
            }
        )
    return cases


def fleiss():
    cases = []
    for raters, units, codes, noise in ((3, 30, 3, 0.3), (5, 60, 5, 0.5), (2, 40, 2, 0.9)):
        table = ratings(raters, units, codes, noise, 0.0).astype(int)
        cases.append({"units": table.tolist(), "kappa": float(fleiss_kappa(aggregate_raters(table)[0]))})
    return cases


golden = {"alphas": alphas(), "kappas": kappas(), "fleiss": fleiss()}
path = pathlib.Path(__file__).with_name("agreement.json")
path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
