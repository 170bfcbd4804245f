// The looks at the checks of a task on a flow engine, on orch as it is composed: what they say of the checks, and that the
// evidence holds (D-198).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../support/builders.ts";
import { startPair } from "../../support/orch-on-engine.ts";

const ENV = { EXECUTION_BACKEND: "flowengine", CHECK_LOOKS: "on" };
const KNOWN = { delegation_mode: "known_only" };
const STEPS = [
  cmd("echo 2 > release"),
  check("grep -q 2 release"),
  check("test -e release"),
  check('at=$(cat release) && echo "$at" && test "$at" != "$ORCH_BEFORE"'),
];

type Kept = { readonly journal: readonly { readonly kind: string; readonly body: { readonly looks: object[] } }[] };
const looksOf = ({ journal }: Kept) =>
  journal.flatMap(({ kind, body }) => (kind === "checks_looked_at" ? body.looks : []));

test("checks that became true in a job are proved by that, and the evidence holds", async () => {
  await using both = await startPair({ ...ENV, BEFORE_LOOK: "on" });
  const { orch, flow } = both;
  await orch.learn("deploy", orch.targetOf("looks"), STEPS);
  writeFileSync(join(orch.directory, "release"), "1\n");
  const task = await orch.run("looks", KNOWN);
  expect(task).toMatchObject({
    status: "ok",
    checks: [
      { proof: "proved", change: "became_true", seen_red: ["before"] },
      { proof: "not_possible", change: "was_true_already", seen_red: [] },
      { proof: "not_possible", change: "compared", seen_red: [] },
    ],
  });
  const evidence = await orch.call("get_evidence", { task_id: "looks" });
  expect(looksOf(evidence)).toMatchObject([{ answer: "red" }, { answer: "green" }, { answer: "green", printed: "1" }]);
  expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  evidence.verdict.checks[1].proof.class = "proved";
  expect(verifyBundle(evidence).faults).not.toEqual([]);
  expect(flow.counts().accepted).toBe(1);
});
