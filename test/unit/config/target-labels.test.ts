// The file with the labels of targets: every fault says where it is, and what to write.
import { describe, expect, test } from "vitest";
import { readTargetLabels, targetLabelsIn } from "../../../src/config/target-labels.ts";

const read = (text: string) => targetLabelsIn(text, "labels.yaml");

test("a file of rules gives their matches and labels in its order", () => {
  const text = "- match: { host: nas }\n  labels: [docker, host:nas]\n- match: {}\n  labels: []\n";
  expect(read(text)).toEqual([
    { match: { host: "nas" }, labels: ["docker", "host:nas"] },
    { match: {}, labels: [] },
  ]);
  expect(read("# nothing yet\n")).toEqual([]);
});

describe("a file that is not valid is refused", () => {
  const rule = "- match: { host: nas }\n  labels: [host:nas]\n";
  test.each([
    [
      "a mapping in place of a list",
      "match: { host: nas }",
      "line 1: the file must be a list of rules; write a list such as",
    ],
    [
      "a label in capitals",
      `${rule}- match: { host: b }\n  labels:\n    - docker\n    - ZFS\n`,
      "line 6: 1.labels.1 must be a label",
    ],
    ["a label twice", `${rule}- match: {}\n  labels: [a, a]\n`, "line 4: 1.labels must not repeat a label"],
    [
      "nine labels",
      "- match: {}\n  labels: [a, b, c, d, e, f, g, h, i]\n",
      "line 2: 0.labels must be at most 8 labels",
    ],
    [
      "a number as a value",
      "- match: { port: 80 }\n  labels: [a]\n",
      "line 1: 0.match.port must be a text; put a number",
    ],
    [
      "a name that no target has",
      "- match: { Host: nas }\n  labels: [a]\n",
      "line 1: 0.match.Host is not a valid name: a target attribute has",
    ],
    [
      "a field that is not known",
      `${rule}- match: {}\n  labels: [a]\n  priority: 3\n`,
      "line 5: 1.priority is not a known field",
    ],
    ["a rule without labels", `${rule}- match: { host: b }\n`, "line 3: 1.labels is required"],
    ["a rule that is a text", `${rule}- docker\n`, "line 3: 1 must be an object"],
    ["a key twice", "- match: {}\n  match: {}\n  labels: [a]\n", "line 2: Map keys must be unique"],
    ["what is no YAML", "- match: {\n", "line 2"],
    [
      "an alias",
      "- match: &a { host: nas }\n  labels: [a]\n- match: *a\n  labels: [b]\n",
      "line 3: aliases are not read",
    ],
  ])("with its line and field: %s", (_what, text, message) => {
    expect(() => read(text)).toThrow(`ORCH_TARGET_LABELS is not valid:\n  labels.yaml, ${message}`);
  });

  test("after ten faults with how many more there are", () => {
    const text = Array.from({ length: 12 }, () => "- match: {}\n  labels: [A]\n").join("");
    expect(() => read(text)).toThrow(/line 20[\s\S]*and 2 more$/);
  });
});

test("a file that is not there stops the start with its path", async () => {
  await expect(readTargetLabels("/nowhere/labels.yaml")).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("/nowhere/labels.yaml cannot be read (ENOENT)"),
    fix: expect.stringContaining("Correct the path"),
  });
  expect(await readTargetLabels(null)).toEqual([]);
});
