# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sarif.py FILE...: each FILE is a SARIF 2.1.0 log of one run, as far as its
readers need it. Prints one line for each result and each notification."""

import json
import re
import sys

ID = re.compile(r"CR\d{4}|raised|left|inconclusive")
URI = re.compile(r"[A-Za-z0-9._~/:%-]+")


def check_message(message):
    assert isinstance(message["text"], str) and message["text"]


def place(location):
    artifact = location["physicalLocation"]["artifactLocation"]
    assert URI.fullmatch(artifact["uri"]), artifact
    if artifact["uri"].startswith("file:///"):
        assert "uriBaseId" not in artifact
    else:
        assert artifact["uriBaseId"] == "%SRCROOT%"
        assert not artifact["uri"].startswith("/")
        assert ".." not in artifact["uri"].split("/")
    region = location["physicalLocation"].get("region")
    if region is None:
        return artifact["uri"]
    assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1
    return f"{artifact['uri']}:{region['startLine']}:{region.get('startColumn', 1)}"


for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        log = json.load(file)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert base.startswith("file:///") and base.endswith("/") and URI.fullmatch(base)
    driver = run["tool"]["driver"]
    assert driver["name"] == "clang-raise" and driver["version"]
    rules = {}
    for rule in driver["rules"]:
        assert ID.fullmatch(rule["id"]) and rule["id"] not in rules
        assert rule["shortDescription"]["text"] and rule["help"]["text"] and rule["help"]["markdown"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        rules[rule["id"]] = rule
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] == (invocation["exitCode"] != 2)
    prints = set()
    for result in run["results"]:
        assert result["ruleId"] in rules
        assert result["level"] in ("none", "note", "warning", "error")
        assert (result["kind"] == "pass") == (result["level"] == "none")
        check_message(result["message"])
        (location,) = result["locations"]
        for related in result.get("relatedLocations", []):
            assert related["id"] == 1
            check_message(related["message"])
            place(related)
        (fingerprint,) = result["partialFingerprints"].items()
        assert fingerprint[0] == "clangRaiseLine/v1" and re.fullmatch("[0-9a-f]{32}", fingerprint[1])
        assert fingerprint[1] not in prints
        prints.add(fingerprint[1])
        related = "".join(f" <- {place(r)}" for r in result.get("relatedLocations", []))
        print(fingerprint[1], result["level"], result["ruleId"], place(location) + related,
              result["message"]["text"])
    for note in invocation["toolExecutionNotifications"]:
        check_message(note["message"])
        assert note["level"] == "error"
        if "associatedRule" in note:
            assert note["associatedRule"]["id"] in rules
        places = " ".join(place(location) for location in note.get("locations", []))
        print("notification", places, note["message"]["text"])
