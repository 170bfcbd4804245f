import { describe, expect, test } from "vitest";
import type { CheckProof } from "../../../../src/domain/proof.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { proposeSop } from "../../../../src/features/procedures/propose-sop.ts";
import { agentJournal, changed, checked, looked } from "../../../support/agent-journal.ts";
import { aContract, check, cmd } from "../../../support/builders.ts";

const contract = aContract({ target: { service: "web", compose_dir: "/srv/web" } });
type Made = Parameters<typeof agentJournal>[0][number];

const proof = (over: Partial<CheckProof> = {}): CheckProof => ({
  class: "proved",
  seen_red: ["before"],
  change: "became_true",
  reason: null,
  ...over,
});

/** `proofs`: the calls that prove, each with its criterion and what it is worth. */
function proposed(made: Made, proofs: readonly (readonly [number, string | null, CheckProof?])[]) {
  const { calls } = projection(agentJournal([made])).agent;
  const checks = proofs.map(([step_index, criterion, worth]) => ({
    step_index,
    criterion,
    passed: true,
    exit_code: 0,
    ...(worth && { proof: worth }),
  }));
  const verdict = { passed: true, reason_code: "verified", step_index: null, checks, uncovered_criteria: [] } as const;
  return proposeSop({ contract, calls, verdict: { ...verdict, uncovered_criteria: [] }, home: "/root" });
}

describe("a draft", () => {
  test("has what changed and what proved it, and no look of the agent", () => {
    const { steps, left_out, warnings } = proposed(
      [looked("ls"), changed("make x"), checked("test -e y"), checked("test -e x")],
      [[3, "x is made", proof()]],
    );
    expect(steps).toEqual([cmd("make x"), check("test -e x")]);
    expect({ left_out, warnings }).toEqual({ left_out: [], warnings: [] });
  });

  test("says of each check what it is worth and whether it changed", () => {
    const twice = proof({ seen_red: ["before", "control"] });
    const reason = "it does not name the target";
    const weak = proof({ class: "sensitive", seen_red: ["control"], change: "not_looked_at", reason });
    const made = [changed("make x"), checked("test -e x"), checked("df /")];
    const { checks, warnings } = proposed(made, [
      [1, "x is made", twice],
      [2, "there is room", weak],
    ]);
    const shown = ({ class: worth, ...rest }: CheckProof, step_index: number) => ({
      step_index,
      proof: worth,
      ...rest,
    });
    expect(checks).toEqual([shown(twice, 1), shown(weak, 2)]);
    expect(warnings).toEqual(["step 2 is sensitive: it does not name the target"]);
  });

  test("leaves out a check that proves nothing", () => {
    const { steps, criteria, left_out } = proposed(
      [changed("make x"), checked("test -d /"), checked("test -e x")],
      [
        [1, "it works", proof({ class: "unproved", seen_red: [], reason: "it also passes on an empty machine" })],
        [2, "x is made", proof()],
      ],
    );
    expect(steps).toEqual([cmd("make x"), check("test -e x")]);
    expect(criteria).toEqual([{ criterion: "x is made", step_index: 1 }]);
    expect(left_out).toEqual([
      { index: 1, command: "test -d /", why: "it proves nothing: it also passes on an empty machine" },
    ]);
  });

  test("keeps a check that nothing looked at", () => {
    const { checks, warnings } = proposed([changed("make x"), checked("test -e x")], [[1, null]]);
    expect(checks).toEqual([{ step_index: 1, proof: null, seen_red: null, change: null, reason: null }]);
    expect(warnings).toEqual([]);
  });

  test("has the same check once, except where it proves two criteria", () => {
    const made = [changed("make x"), checked("test -e x"), checked("test -e x")];
    const once = [1, 2].map((index) => [index, null] as const);
    expect(proposed(made, once).steps).toEqual([cmd("make x"), check("test -e x")]);
    const twice = ["a", "b"].map((criterion) => [1, criterion, proof()] as const);
    const { steps, criteria } = proposed(made, twice);
    expect(steps).toEqual([cmd("make x"), check("test -e x"), check("test -e x")]);
    expect(criteria.map(({ step_index }) => step_index)).toEqual([1, 2]);
  });

  test("names what failed and may have had an effect, as a warning too", () => {
    const failed = changed("make x", { result: { status: "failed", exit_code: 2 } });
    const { left_out, warnings } = proposed([failed, changed("make y"), checked("test -e y")], [[2, null, proof()]]);
    expect(left_out).toEqual([
      { index: 0, command: "make x", why: "it ended failed with exit code 2, and may have done a part of its work" },
    ]);
    expect(warnings).toEqual([
      "call 0 ended failed and may have done a part of its work: see what of it the steps need",
    ]);
  });

  test("leaves out undone work, and the checks keep their places", () => {
    const made = [changed("mkdir t"), changed("rmdir t"), changed("make x"), checked("test -e x")];
    const { steps, criteria, left_out } = proposed(made, [[3, "x is made", proof()]]);
    expect(steps).toEqual([cmd("make x"), check("test -e x")]);
    expect(criteria).toEqual([{ criterion: "x is made", step_index: 1 }]);
    expect(left_out.map(({ index, why }) => [index, why])).toEqual([
      [0, "call 1 undid it"],
      [1, "it only undid call 0"],
    ]);
  });

  test("names each place of a value that it leaves literal, by step", () => {
    const call = { kind: "mcp_call", value: "", server: "ops", tool: "say", arguments: { text: "web is up" } } as const;
    const { left_literal } = proposed(
      [changed("sed -i 's/web/x/' f"), changed("", { name: "ops__say", step: call }), checked("grep -q webx f")],
      [[2, null, proof()]],
    );
    expect(left_literal.map(({ step_index, key, where }) => [step_index, key, where])).toEqual([
      [0, "target.service", "cmd"],
      [1, "target.service", "arguments/text"],
      [2, "target.service", "check"],
    ]);
  });
});
