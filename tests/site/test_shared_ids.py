"""Tasks of one id, of test files of one name in different modules: each has a page and a row of its own."""

from dataclasses import replace
from pathlib import Path

from testevo.site.content import read_content
from testevo.site.pages import site_files
from testevo.site.task_pages import task_listing, task_pages
from tests.site.synthetic_dataset import write_dataset


def test_each_of_the_tasks_of_one_id_has_its_page_and_its_row(tmp_path: Path) -> None:
    content = read_content(write_dataset(tmp_path, tasks=3, systems=1))
    first, *others = content.tasks
    twin = first.model_copy(update={"module": "other", "test_file": f"other/{first.test_file}"})
    both = replace(content, tasks=[first, twin, *others])
    names = [page.name for page in task_pages(both)]
    assert len(names) == len(set(names)) == len(both.tasks)
    named = {row[0] for row in task_listing(both).rows}
    assert {first.task_id, f"{first.task_id} ({twin.test_file})"} <= named
    files = dict(site_files(both))
    assert set(names) <= files.keys()
    repository = next(
        text for name, text in files.items() if name.startswith("repositories/") and first.task_id.encode() in text
    )
    assert all(f'href="../{name}"'.encode() in repository for name in names[:2])
