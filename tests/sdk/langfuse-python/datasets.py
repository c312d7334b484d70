"""Datasets and experiments through the released SDK, whichever version is installed.

Configured by LANGFUSE_HOST (LANGFUSE_BASE_URL), LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

import sys
import time
from datetime import datetime, timedelta, timezone

from langfuse import Langfuse

major = int(sys.argv[1])
langfuse = Langfuse()
api = langfuse.client if major == 2 else langfuse.api

# Version 2 writes names into paths as they are, where a slash would end them.
NAME = "capitals of the world" if major == 2 else "team/capitals of the world"
RUN = "night 1" if major == 2 else "night/1"
CAPITALS = {"France": "Paris", "Japan": "Tokyo", "Peru": "Lima"}
SINCE = datetime.now(timezone.utc) - timedelta(hours=1)


def eventually(read, is_right=lambda found: True):
    """What is read, as soon as it is there and as it should be."""
    deadline = time.monotonic() + 60
    while True:
        try:
            found = read()
            if is_right(found):
                return found
            problem = found
        except Exception as error:  # not there yet
            problem = error
        assert time.monotonic() < deadline, problem
        time.sleep(0.05)


# A dataset, items in it, and what is read of them.
made = langfuse.create_dataset(name=NAME, description="of countries", metadata={"team": "a"})
assert (made.name, made.description, made.metadata) == (NAME, "of countries", {"team": "a"})
assert langfuse.create_dataset(name=NAME).id == made.id
for country, capital in CAPITALS.items():
    item = langfuse.create_dataset_item(
        dataset_name=NAME,
        id=country,
        input={"country": country},
        expected_output=capital,
        metadata={"level": "easy"},
    )
    assert (item.id, item.dataset_name, item.status) == (country, NAME, "ACTIVE"), item
langfuse.create_dataset_item(dataset_name=NAME, id="Peru", metadata={"level": "hard"})
before = api.dataset_items.get("Peru")
assert (before.input, before.metadata) == ({"country": "Peru"}, {"level": "hard"}), before
langfuse.create_dataset_item(dataset_name=NAME, id="Peru", status="ARCHIVED")
dataset = langfuse.get_dataset(NAME, fetch_items_page_size=1)
assert [item.id for item in dataset.items] == ["Japan", "France"], dataset.items
assert dataset.items[0].expected_output == "Tokyo"
if major >= 3:
    # As it was, with the one that is archived since.
    then = langfuse.get_dataset(NAME, version=before.updated_at)
    assert [item.id for item in then.items] == ["Peru", "Japan", "France"], then.items


def answer(country):
    return "Paris" if country == "France" else "Kyoto"


def by_links():
    """Each item is linked to the trace of a run."""
    from langfuse.decorators import langfuse_context, observe

    @observe()
    def run(country):
        return answer(country)

    for item in dataset.items:
        with item.observe(
            run_name=RUN, run_description="tries", run_metadata={"model": "none"}
        ) as trace_id:
            output = run(item.input["country"])
        value = float(output == item.expected_output)
        langfuse.score(trace_id=trace_id, name="exact", value=value)
    langfuse_context.flush()


def by_experiment():
    from langfuse import Evaluation

    def task(*, item, **rest):
        return answer(item.input["country"])

    def exact(*, input, output, expected_output, **rest):
        return Evaluation(name="exact", value=float(output == expected_output), comment="compared")

    def mean(*, item_results, **rest):
        values = [one.value for result in item_results for one in result.evaluations]
        return Evaluation(name="mean", value=sum(values) / len(values))

    result = dataset.run_experiment(
        name="capitals",
        run_name=RUN,
        description="tries",
        metadata={"model": "none"},
        task=task,
        evaluators=[exact],
        run_evaluators=[mean],
    )
    assert result.run_name == RUN and len(result.item_results) == 2, result
    return result


def by_hand():
    """The calls of version 3 that experiments took the place of."""
    for item in dataset.items:
        with item.run(run_name="by hand", run_metadata={"model": "none"}) as span:
            span.update(output=answer(item.input["country"]))


result = by_links() if major == 2 else by_experiment()
if major == 3:
    by_hand()
langfuse.flush()

# What the run made of the items, as far as the version can read it.
if major < 5:
    if major == 2:
        run = langfuse.get_dataset_run(NAME, RUN)
    else:
        run = langfuse.get_dataset_run(dataset_name=NAME, run_name=RUN)
        assert run.id == result.dataset_run_id, (run, result)
    assert (run.name, run.description, run.dataset_name) == (RUN, "tries", NAME), run
    assert run.metadata == {"model": "none"}, run
    links = {link.dataset_item_id: link for link in run.dataset_run_items}
    assert links.keys() == {"France", "Japan"}, links
    get_trace = api.trace.get
    for country, link in links.items():
        is_scored = lambda trace: len(trace.scores) == 1 and trace.output is not None
        trace = eventually(lambda: get_trace(link.trace_id), is_scored)
        assert trace.output == answer(country), trace
        assert trace.scores[0].value == float(country == "France"), trace
    runs = langfuse.get_dataset_runs(**{"dataset_name": NAME})
    expected = ["by hand", RUN] if major == 3 else [RUN]
    assert [one.name for one in runs.data] == expected, runs
    if major > 2:
        listed = api.dataset_run_items.list(dataset_id=made.id, run_name=RUN)
        assert listed.meta.total_items == 2, listed

if major == 3:
    hand = langfuse.get_dataset_run(dataset_name=NAME, run_name="by hand")
    assert len(hand.dataset_run_items) == 2, hand
    scores = eventually(
        lambda: api.score_v_2.get(dataset_run_id=run.id), lambda scores: len(scores.data) == 1
    )
    assert (scores.data[0].name, scores.data[0].value) == ("mean", 0.5), scores

if major >= 4:
    experiment_id = result.experiment_id if major == 5 else result.dataset_run_id

    def experiments():
        return api.experiments.list(
            from_start_time=SINCE, dataset_id=made.id, fields="core,metadata,scores"
        )

    is_whole = lambda found: len(found.data) == 1 and (
        found.data[0].item_count == 2 and len(found.data[0].scores) == 1
    )
    experiment = eventually(experiments, is_whole).data[0]
    assert (experiment.id, experiment.name) == (experiment_id, RUN), experiment
    assert (experiment.description, experiment.metadata) == ("tries", {"model": "none"})
    score = experiment.scores[0]
    assert (score.name, score.value, score.subject.id) == ("mean", 0.5, experiment_id), score

    def items(cursor=None):
        return api.experiments.list_items(
            from_start_time=SINCE,
            experiment_id=experiment_id,
            fields="core,dataset,io,itemMetadata,experimentMetadata,scores",
            limit=1,
            cursor=cursor,
        )

    first = eventually(items, lambda page: page.data[0].scores and page.data[0].output)
    second = eventually(
        lambda: items(first.meta.cursor), lambda page: page.data[0].scores and page.data[0].output
    )
    assert second.meta.cursor is None or items(second.meta.cursor).data == [], second
    by_item = {row.experiment_item_id: row for row in first.data + second.data}
    assert by_item.keys() == {"France", "Japan"}, by_item
    for country, row in by_item.items():
        assert row.input == {"country": country}, row
        assert (row.output, row.expected_output) == (answer(country), CAPITALS[country]), row
        assert row.experiment_dataset_id == made.id, row
        assert row.experiment_item_metadata == {"level": "easy"}, row
        assert [one.name for one in row.scores] == ["exact"], row
        assert row.scores[0].value == float(country == "France"), row

# What is deleted is gone.
if major in (3, 4):
    langfuse.delete_dataset_run(dataset_name=NAME, run_name=RUN)
    runs = langfuse.get_dataset_runs(dataset_name=NAME)
    assert RUN not in [one.name for one in runs.data], runs
api.dataset_items.delete("Japan")
assert [item.id for item in langfuse.get_dataset(NAME).items] == ["France"]
