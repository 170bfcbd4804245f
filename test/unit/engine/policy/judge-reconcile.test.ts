// The rules for a reconcile command: it is judged like a diagnostic step, for every intent.
import { describe, expect, test } from "vitest";
import { examinePlan, isFreeOfFindings, judgePlan } from "../../../../src/engine/policy/judge-plan.ts";
import { teachingOf } from "../../../../src/engine/tasks/teaching.ts";
import { aContract, check, cmd, mcpCall } from "../../../support/builders.ts";

const context = { home: "/home/op", remote: false };
const planWith = (reconcile: string, { proved = false, implicit_scope = ["notes"] } = {}) => ({
  contract: aContract({ constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 } }),
  proved,
  steps: [{ ...cmd("touch x"), reconcile }],
  safety_level: "standard" as const,
  intent: "deploy",
  context,
});
const codes = (...given: Parameters<typeof planWith>) =>
  judgePlan(planWith(...given)).map(({ verdict, code }) => `${verdict} ${code}`);

describe("a reconcile command", () => {
  test("that only looks has no finding", () => expect(codes("test -e x")).toEqual([]));

  test("that changes something is blocked, with what to do", () => {
    expect(codes("touch looked")).toEqual(["block reconcile.changes_state"]);
    expect(judgePlan(planWith("touch looked"))[0]?.reason).toContain("change nothing");
  });

  test("of unknown effect is asked about, unless its procedure is in use", () => {
    expect(codes("some-unknown-program --now")).toEqual(["ask reconcile.unknown_effect"]);
    expect(codes("some-unknown-program --now", { proved: true })).toEqual([]);
  });

  test("is held to the guard and to the programs of the scope", () => {
    expect(codes("rm -rf /")).toContain("block rm.wide");
    expect(codes("docker ps", { implicit_scope: ["cmd:touch"] })).toEqual(["block scope.program"]);
  });

  test("of a tool call is judged too", () => {
    const plan = planWith("ls");
    const steps = [{ ...mcpCall(), reconcile: "touch looked" }];
    expect(judgePlan({ ...plan, steps }).map(({ code }) => code)).toEqual(["reconcile.changes_state"]);
  });

  test("runs a script that is judged, and compared, with the step", () => {
    const plan = planWith("bash /srv/look.sh");
    const { steps } = examinePlan(plan);
    expect([...(steps[0]?.known.keys() ?? [])]).toEqual(["/srv/look.sh"]);
    const judgedAs = (text: string) => isFreeOfFindings(plan, 0, new Map([["/srv/look.sh", text]]));
    expect(judgedAs("test -e x\n")).toBe(true);
    expect(judgedAs("rm -rf /\n")).toBe(false);
  });

  test("that is refused is named by its field when it is taught", () => {
    const steps = [{ ...cmd("touch x"), reconcile: "touch looked" }, check("test -e x")];
    const definition = { steps, safety_level: "standard" as const, preconditions: [] };
    expect(teachingOf(aContract(), definition, context).issues).toMatchObject([
      { path: "steps.0.reconcile", message: expect.stringContaining("a reconcile command only looks") },
    ]);
  });
});
