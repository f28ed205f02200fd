"""The commands ``rows`` and ``certify``: their files can be checked again, and their refusals are one line."""

FIXED = ("--fix", "p=1", "--param", "m=5", "--length", "500")


def test_rows_finds_a_period_and_certify_accepts_its_certificate(grundylab, folder):
    status, said, _ = grundylab("rows", "nim", *FIXED, "--json")
    assert (status, said["status"], len(said["rows"])) == (0, "proved", 1)
    (row,) = said["rows"]
    assert (row["preperiod"], row["period"], row["saltus"]) == (3, 2, 2)
    assert row["positions"] == ["0, 0", "1, 1", "2, 2", "2 * k + 1, 2 * k + 2 for k >= 1"]
    assert row["proof"].startswith("results/proofs/nim/row-p-m=5,p=1-")
    status, said, _ = grundylab("certify", "nim", row["proof"], "--json")
    assert (status, said["status"]) == (0, "proved")
    assert said["proved"] == f"p: {row['formula']}, where m == 5 and {row['where']}"


def test_what_is_not_proved_says_so_with_exit_status_3(grundylab):
    asked = ("rows", "nim", "--fix", "p=1", "--param", "m=90", "--json", "--length")
    status, said, _ = grundylab(*asked, "40")  # the pass is there from 90 stones on only
    assert (status, said["status"], said["rows"][0]["status"]) == (3, "undecided", "holds")
    status, said, _ = grundylab(*asked, "2")
    assert (status, said["rows"][0]["status"]) == (3, "undecided")
    assert grundylab(*asked, "200")[0] == 0


def test_of_one_heap_it_is_the_period_of_the_grundy_numbers(grundylab, folder):
    moves = "moves: [{for: {t: 1..2, a: 0..x-t}, to: [{x: a}, {x: x - t - a}]}]"
    (folder / "rulesets" / "kayles.yaml").write_text(f"title: t\nposition: {{x: 0..N}}\n{moves}\n")
    status, said, _ = grundylab("rows", "kayles", "--target", "grundy", "--json")
    (row,) = said["rows"]
    assert (status, row["status"], row["preperiod"], row["period"]) == (0, "proved", 71, 12)
    status, said, _ = grundylab("certify", "kayles", row["proof"], "--json")
    assert (status, said["status"]) == (0, "proved")


def test_the_claims_that_a_row_proves_are_proved_for_its_parameters(grundylab, folder):
    """The claim is about every m, the row about one m."""
    claim = "claims: [{id: period, target: grundy, formula: x % (m + 1)}]"
    moves = 'moves: [{take: "1..min(x, m)", from: x}]'
    text = f"title: t\nparameters: {{m: m >= 1}}\nposition: {{x: 0..N}}\n{moves}\n{claim}\n"
    (folder / "rulesets" / "upto.yaml").write_text(text)
    status, said, _ = grundylab("rows", "upto", "--target", "grundy", "--param", "m=3", "--length", "500")
    assert status == 0
    (line,) = (line.split() for line in said.splitlines() if "period with" in line)
    assert line[-3:] == ["period", "with", "m=3"]
