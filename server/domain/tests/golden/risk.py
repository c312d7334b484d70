"""Writes risk.json: what SciPy and statsmodels say of counts that the Rust tests compute again.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python risk.py
"""

import json
import pathlib

import numpy as np
from scipy.stats import chi2, fisher_exact, norm
from scipy.stats.contingency import relative_risk
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.proportion import confint_proportions_2indep

# Exposed hits, exposed, other hits, others.
SINGLE = ((7, 20, 3, 40), (0, 12, 5, 80), (9, 9, 2, 60), (41, 300, 12, 3100), (120, 900, 1000, 9000), (3, 50, 0, 70))
STRATA = (
    ((7, 20, 3, 40), (2, 10, 4, 90)),
    ((0, 12, 5, 80), (9, 30, 2, 60), (4, 8, 1, 5)),
    ((120, 900, 900, 9000), (41, 300, 300, 3100), (10, 100, 90, 900), (5, 1000, 6, 1000)),
)


def table(case):
    hits, of, other_hits, others = case
    return np.array([[hits, of - hits], [other_hits, others - other_hits]], dtype=float)


def p_value(found):
    """By the upper tail: what statsmodels takes from 1 has no digits far out."""
    return float(chi2.sf(found.test_null_odds(correction=False).statistic, 1))


def single(case):
    hits, of, other_hits, others = case
    newcombe = confint_proportions_2indep(hits, of, other_hits, others, compare="diff", method="newcomb")
    if hits and other_hits:
        ratio = relative_risk(hits, of, other_hits, others)
        interval = ratio.confidence_interval(0.95)
        katz = [ratio.relative_risk, interval.low, interval.high]
    else:
        low, high = confint_proportions_2indep(hits, of, other_hits, others, compare="ratio", method="log-adjusted")
        katz = [(hits + 0.5) / (of + 0.5) / ((other_hits + 0.5) / (others + 0.5)), low, high]
    return {
        "counts": case,
        "difference": [hits / of - other_hits / others, *newcombe],
        "ratio": [float(value) for value in katz],
        "fisher": float(fisher_exact(table(case)).pvalue),
        "mantel_haenszel": p_value(StratifiedTable([table(case)])),
    }


def pooled(strata):
    """Estimates and test of statsmodels; it has no variances, which are those of Greenland and Robins."""
    found = StratifiedTable([table(case) for case in strata])
    a, n1, c, n0 = np.array(strata, dtype=float).T
    n = n1 + n0
    above, below = (a * n0 / n).sum(), (c * n1 / n).sum()
    error = np.sqrt((((a + c) * n1 * n0 - a * c * n) / n**2).sum() / (above * below))
    z = norm.ppf(0.975)
    ratio = found.riskratio_pooled
    assert np.isclose(ratio, above / below)
    weight = (n1 * n0 / n).sum()
    difference = ((a * n0 - c * n1) / n).sum() / weight
    variance = ((a * (n1 - a) * n0**3 + c * (n0 - c) * n1**3) / (n1 * n0 * n**2)).sum() / weight**2
    half = z * np.sqrt(variance)
    return {
        "strata": strata,
        "difference": [float(difference), float(difference - half), float(difference + half)],
        "ratio": [float(ratio), float(ratio * np.exp(-z * error)), float(ratio * np.exp(z * error))],
        "mantel_haenszel": p_value(found),
    }


golden = {"single": [single(case) for case in SINGLE], "pooled": [pooled(strata) for strata in STRATA]}
path = pathlib.Path(__file__).with_name("risk.json")
path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
