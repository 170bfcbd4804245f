// The evidence of an agent's run: real bundles are valid. A change of one is found, and so is a run that was rewritten
// and hashed anew from end to end.
import { beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { collectAgentBundles } from "../../../support/agent-bundles.ts";
import {
  again,
  asking,
  type Change,
  edited,
  forged,
  inTurn,
  isOf,
  leaving,
  made,
  without,
} from "../../../support/agent-forgeries.ts";
import { type Loose, missed, mutants, mutatedEntries } from "../../../support/bundle-mutants.ts";

let bundles: ReadonlyMap<string, string>;
beforeAll(async () => {
  bundles = await collectAgentBundles();
});

const bundleOf = (name: string): Loose => JSON.parse(bundles.get(name) ?? "null");

test("the evidence of a real run is valid for every result", () => {
  const said = [...bundles.keys()].map((name) => {
    const { status, outcome } = bundleOf(name);
    return [name, status, outcome.reason_code, verifyBundle(bundleOf(name)).faults];
  });
  expect(said).toEqual([
    ["proved", "ok", "verified", []],
    ["approved", "ok", "verified", []],
    ["rejected", "failed", "nothing_verified", []],
    ["waits", "need_approval", "approval_required", []],
    ["unproved", "failed", "nothing_verified", []],
    ["blocked", "blocked", "agent_refused", []],
    ["talked", "failed", "agent_idle", []],
    ["tools", "ok", "verified", []],
    ["resolved", "ok", "verified", []],
  ]);
});

describe("the verification of an agent's run", () => {
  const VARIED = ["proved", "approved", "rejected", "tools", "resolved", "blocked"];

  test.each(VARIED)(
    "finds every field of a run that was changed, left out or added: %s",
    { timeout: 60_000 },
    (name) => {
      expect(missed(mutants(bundleOf(name)))).toEqual([]);
    },
  );

  test.each(VARIED)("finds an entry of a run that was changed and hashed anew: %s", { timeout: 60_000 }, (name) => {
    expect(missed(mutatedEntries(bundleOf(name)))).toEqual([]);
  });
});

const judged = (index: number, change: (body: Loose) => Loose) => edited(isOf("agent_call_judged", index), change);
const ALLOWED = () => ({ verdict: "allow" });
const ANOTHER = "judges another call than the agent's";
const NOT_MADE = "ends a call that was not made";
const OTHER_CALLS = "other calls than the agent's";
const NOT_REPORTED = "not the finish that the agent reported";
const done = edited(isOf("reported"), () => ({ status: "ok", label: "DONE", reason_code: "verified" }));
const unasked = without("approval_requested", "approval_decided");

const CALLS: [string, string, Change, string][] = [
  ["a refused call was made", "proved", made(0), "refused"],
  ["a call that was none was made", "proved", made(1), "faulty"],
  ["a call was made twice", "proved", made(2), "ended"],
  ["a call was made that nobody asked for", "proved", made(9), "the agent did not ask for it"],
  [
    "no model was asked",
    "proved",
    (all) => all.filter(({ kind }) => !kind.startsWith("agent_")),
    "the agent did not ask for it",
  ],
  ["a rejected call was made", "rejected", inTurn(again(isOf("approval_decided"), {}), begun), "rejected"],
  ["nobody decided on a call that was made", "approved", without("approval_decided"), "waiting"],
  ["nobody was asked for an approval", "approved", unasked, "waiting"],
];

/** Begins the rejected call where its rejection is recorded a second time. */
function begun(events: Loose[]): Loose[] {
  const place = events.findLastIndex(isOf("approval_decided"));
  return events.with(place, { ...events[place], kind: "step_started", body: { index: 0, attempt: 1 } });
}

const OTHERS: [string, string, Change, string][] = [
  [
    "what needed an approval needs none",
    "approved",
    inTurn(unasked, judged(1, ALLOWED)),
    "a verdict that its findings do not give",
  ],
  ["a refused call was allowed", "proved", judged(0, ALLOWED), "a verdict that its findings do not"],
  [
    "a refused call was judged once more",
    "proved",
    again(isOf("agent_call_judged", 0), { verdict: "allow", findings: [] }),
    "judges a call that does not wait for it",
  ],
  ["an approval covers other calls", "approved", asking(1, "echo all >> made"), OTHER_CALLS],
  [
    "an approval is one of a procedure",
    "approved",
    edited(isOf("approval_requested"), () => ({ kind: "plan" })),
    OTHER_CALLS,
  ],
  [
    "another command was run than the agent's",
    "proved",
    judged(2, () => ({ step: { kind: "cmd", value: "echo 2 >> made" } })),
    ANOTHER,
  ],
  [
    "a command was a check for policy only",
    "proved",
    judged(2, ({ step }) => ({ step: { ...step, kind: "check" } })),
    ANOTHER,
  ],
  [
    "another tool was called than the agent's",
    "tools",
    judged(0, ({ step }) => ({ step: { ...step, tool: "fail" } })),
    ANOTHER,
  ],
  [
    "a tool got other arguments",
    "tools",
    judged(1, ({ step }) => ({ step: { ...step, arguments: { lamp: "door" } } })),
    ANOTHER,
  ],
  ["a call ended that was not made", "proved", leaving(isOf("step_started", 2)), NOT_MADE],
  [
    "a call ended as one of another kind",
    "proved",
    edited(isOf("step_finished", 2), () => ({ kind: "check" })),
    NOT_MADE,
  ],
  ["a reply is missing", "proved", leaving(isOf("agent_replied")), "is not the next reply"],
  [
    "calls are numbered otherwise",
    "proved",
    edited(isOf("agent_replied"), ({ calls }) => ({ calls: calls.toReversed() })),
    "is not the next reply",
  ],
];

const ENDS: [string, string, Change, string][] = [
  [
    "the agent proved it with another check",
    "unproved",
    edited(isOf("agent_finished"), () => ({ criteria: [{ criterion: 1, evidence_check: 0 }] })),
    NOT_REPORTED,
  ],
  [
    "the agent never said that it is done",
    "proved",
    leaving((event) => isOf("agent_replied")(event) && event.body.turn === 3),
    NOT_REPORTED,
  ],
  [
    "the verdict is another",
    "unproved",
    inTurn(
      edited(isOf("verdict_reached"), () => ({ passed: true, reason_code: "verified" })),
      done,
    ),
    "the verdict does not follow from the calls: passed",
  ],
  [
    "a check has another end than the verdict says",
    "proved",
    edited(isOf("step_finished", 4), () => ({ status: "failed", exit_code: 1 })),
    "the verdict does not follow from the calls",
  ],
  ["the task is done against its verdict", "unproved", done, "counts as done although its verdict is not passed"],
  [
    "the task is done without a verdict",
    "unproved",
    inTurn(without("verdict_reached"), done),
    "counts as done without a proved finish",
  ],
  ["the task is done without a finish", "proved", without("agent_finished"), "counts as done without a proved finish"],
];

const MADE = CALLS.map(([what, name, change, state]) => [what, name, change, `not allowed: ${state}`] as const);

describe("the verification of a run that was rewritten from end to end", () => {
  test.each([...MADE, ...OTHERS, ...ENDS])("finds that %s", (_what, name, change, fault) => {
    const faultsAfter = (changed: Change) => verifyBundle(forged(bundleOf(name), changed)).faults.join("\n");
    expect(faultsAfter((events) => events)).toBe("");
    expect(faultsAfter(change)).toContain(fault);
  });
});
