"""The notebooks are up to date: run again, each cell gives the stored output.

``python -m tests.test_notebook`` stores the outputs, in a checkout in which ``make run`` has been run.
"""

import re
import tempfile
from pathlib import Path

import nbformat
import pytest
from ipykernel.kernelspec import write_kernel_spec
from nbclient import NotebookClient
from tests.pipeline.project import run_of_test

from grundylab.logic.mona import find_mona

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"  # from rules to a theorem
RESULTS = ROOT / "docs" / "results.ipynb"  # what a run found
_PICTURE = re.compile(r'src="data:image/[^"]*"')
STORE = "run 'python -m tests.test_notebook', which stores what the cells give"


def read(file):
    return nbformat.read(file, as_version=4)


def executed(file, folder, start):
    """Run a notebook in the folder ``start`` with a kernel of this Python, regardless of the user's own settings."""
    write_kernel_spec(folder / "kernels" / "python3")
    notebook = read(file)
    kept = notebook.metadata.copy()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(folder))
        patch.delenv("MPLBACKEND", raising=False)
        NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=600,
            startup_timeout=600,
            record_timing=False,
            resources={"metadata": {"path": str(start)}},
        ).execute()
    notebook.metadata = kept  # the kernel writes its version there
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        if {"text/html", "text/latex"} & {*output.get("data", ())}:
            del output.data["text/plain"]  # of what has a view: the object as Python writes it
    return notebook


def shown(cell):
    """Return a cell's output without its pictures, which differ slightly between machines."""
    return [
        {key: part for key, part in output.items() if key != "data"}
        | {
            kind: _PICTURE.sub("", text)
            for kind, text in output.get("data", {}).items()
            if not kind.startswith("image/")
        }
        for output in cell.outputs
    ]


@pytest.mark.skipif(find_mona() is None, reason="the notebook has proofs that MONA has checked")
def test_the_notebook_shows_what_its_cells_give(tmp_path):
    stored, again = read(NOTEBOOK), executed(NOTEBOOK, tmp_path, tmp_path)
    for cell, anew in zip(stored.cells, again.cells, strict=True):
        if cell.cell_type == "code":
            assert shown(cell) == shown(anew), f"{cell.source}\n{STORE}"


def test_the_notebook_about_results_reads_those_of_any_run_of_its_studies(tmp_path, tmp_path_factory):
    stored, again = read(RESULTS), executed(RESULTS, tmp_path, run_of_test(tmp_path_factory))
    for cell, anew in zip(stored.cells, again.cells, strict=True):
        if cell.cell_type == "code":
            kinds = [{*output.get("data", {})} for output in anew.outputs]
            assert kinds == [{*output.get("data", {})} for output in cell.outputs], cell.source


@pytest.mark.parametrize("file", [NOTEBOOK, RESULTS], ids=lambda file: file.stem)
def test_a_notebook_was_run_from_its_first_cell_to_its_last_and_keeps_nothing_of_the_machine(file):
    notebook = read(file)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)], STORE
    assert [cell.metadata for cell in notebook.cells] == [{}] * len(notebook.cells)
    assert "version" not in notebook.metadata.language_info
    kinds = {output.output_type for cell in code for output in cell.outputs}
    assert kinds == {"execute_result", "display_data"}, "no warnings, no errors"
    pictures = [output for cell in code for output in cell.outputs if "image/png" in output.get("data", {})]
    assert pictures


if __name__ == "__main__":
    for file, start in ((NOTEBOOK, None), (RESULTS, ROOT)):
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(file, Path(folder), start or folder), file)
