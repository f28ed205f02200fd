"""A fault of the program's own, met while a good catalogue is used, is not blamed on the catalogue."""

import json
from pathlib import Path

import pytest
from tests.report.project import make_project

from grundylab.cli.common import understood
from grundylab.errors import ConfigError
from grundylab.files import write_json


def test_a_bug_is_a_bug_and_an_odd_catalogue_is_none(tmp_path):
    make_project(tmp_path)
    path = Path(tmp_path, "results", "catalogue.json")
    with pytest.raises(KeyError, match="bug"), understood(path):
        raise KeyError("bug")
    data = json.loads(path.read_text())
    # as of a formula in which Grundy numbers are looked up
    data["formulas"][0]["values"] = {"G": "this"}
    write_json(path, data)
    with pytest.raises(KeyError, match="bug"), understood(path):
        raise KeyError("bug")
    del data["formulas"][0]["status"]
    write_json(path, data)
    with pytest.raises(ConfigError, match=r"formulas\[0\] has no 'status'"), understood(path):
        raise KeyError("status")
