// Pure parts of the console.
import { describe, expect, test } from "vitest";
import { fileNameOf, filteredKeys, sopKeys } from "../../pages/sops/sop-keys.ts";
import { parameterParts } from "../../parts/code.tsx";

type Listed = Parameters<typeof sopKeys>[0][number];

const version = (intent: string, n: number, status: Listed["status"], promotion_round = 1): Listed =>
  ({
    sop_id: `${intent}-${n}`,
    intent,
    target_signature: "host=nas",
    version: n,
    status,
    promotion_round,
  }) as Listed;

const ALL = [
  version("restart", 2, "candidate"),
  version("restart", 1, "active"),
  version("deploy", 3, "candidate"),
  version("deploy", 2, "candidate", 2),
  version("deploy", 1, "deprecated"),
  version("triage", 1, "deprecated"),
];

describe("the list of procedures", () => {
  test("has each key once, by the version in use, else the one that was set back, else the newest", () => {
    expect(sopKeys(ALL).map(({ intent, shown, versions }) => `${intent} ${shown.version} of ${versions}`)).toEqual([
      "deploy 2 of 3",
      "restart 1 of 2",
      "triage 1 of 1",
    ]);
  });

  test("names what waits for a decision, newest first", () => {
    expect(sopKeys(ALL).map(({ waiting }) => waiting.map(({ sop_id }) => sop_id))).toEqual([
      ["deploy-3", "deploy-2"],
      ["restart-2"],
      [],
    ]);
  });

  test.each([
    [{ status: "in_use" as const }, ["restart"]],
    [{ status: "waiting" as const }, ["deploy", "restart"]],
    [{ status: "set_back" as const }, ["deploy"]],
    [{ status: "unused" as const }, ["triage"]],
    [{ q: "NAS  dep" }, ["deploy"]],
    [{ q: "nothing" }, []],
    [{}, ["deploy", "restart", "triage"]],
  ])("filtered by %j it has %j", (wanted, intents) => {
    expect(filteredKeys(sopKeys(ALL), wanted).map(({ intent }) => intent)).toEqual(intents);
  });
});

test("the parameters of a command are found, and nothing else", () => {
  const [with_default, of_arguments] = ["{ORCH_TARGET_DIR:-/srv}", "{target.host}"].map((rest) => `$${rest}`);
  const text = `cp $ORCH_TARGET_HOST "${with_default}" $HOME ${of_arguments} $ORCH_PAYLOADS_X`;
  expect(parameterParts(text).filter((_, at) => at % 2 === 1)).toEqual([
    "$ORCH_TARGET_HOST",
    with_default,
    of_arguments,
  ]);
  expect(parameterParts(text).join("")).toBe(text);
});

test.each([
  ["host=nas;service=grafana", "deploy-nas-grafana-v2.sop.yaml"],
  ["path=../../etc/passwd", "deploy-..-..-etc-passwd-v2.sop.yaml"],
  ["", "deploy-v2.sop.yaml"],
])("the file of a procedure on %j is named %s", (target_signature, name) => {
  expect(fileNameOf({ intent: "deploy", target_signature, version: 2 })).toBe(name);
});
