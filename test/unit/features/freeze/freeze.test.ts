// Which tasks a freeze holds.
import { describe, expect, test } from "vitest";
import { heldText } from "../../../../src/domain/hold.ts";
import { type FreezeScope, holds, isSameFreeze, scopeText } from "../../../../src/features/freeze/freeze.ts";
import { isHeldByWindows } from "../../../../src/features/freeze/windows.ts";

const ALL: FreezeScope = { intent: null, target_signature: null, except_diagnostics: false };
const deploy = { intent: "deploy", target_signature: "environment=prod;service=web" };
const look = { intent: "health_check", target_signature: "service=web" };

describe("a freeze holds", () => {
  test.each([
    ["every task, diagnostics too", ALL, true, true],
    ["every task but diagnostics", { ...ALL, except_diagnostics: true }, true, false],
    ["those of an intent", { ...ALL, intent: "deploy" }, true, false],
    ["those of a diagnostic intent", { ...ALL, intent: "health_check" }, false, true],
    ["those whose target has its attributes", { ...ALL, target_signature: "service=web" }, true, true],
    ["not those that lack one of them", { ...ALL, target_signature: "environment=prod;service=web" }, true, false],
    ["not those that have another value", { ...ALL, target_signature: "service=we" }, false, false],
    ["those of an intent on a target", { ...ALL, intent: "deploy", target_signature: "service=db" }, false, false],
    ["those of a directory as it was sent", { ...ALL, target_signature: "compose_dir=/srv/w/" }, false, false],
  ])("%s", (_what, freeze, holds_deploy, holds_look) => {
    expect([holds(freeze, deploy), holds(freeze, look)]).toEqual([holds_deploy, holds_look]);
  });

  test("a task without a target only where it is for every target", () => {
    const task = { intent: "deploy", target_signature: "" };
    expect(holds(ALL, task)).toBe(true);
    expect(holds({ ...ALL, target_signature: "service=web" }, task)).toBe(false);
  });
});

test("windows hold what changes something, and never a diagnostic intent", () => {
  expect(["deploy", "switch_off", "triage", "collect_logs"].map((intent) => isHeldByWindows({ intent }))).toEqual([
    ...[true, true, false, false],
  ]);
});

test("a freeze is the same when it holds the same for the same reason", () => {
  const one = { ...ALL, reason: "power" };
  expect(isSameFreeze(one, { ...one })).toBe(true);
  const others = [{ reason: "wind" }, { intent: "deploy" }, { target_signature: "a=b" }, { except_diagnostics: true }];
  for (const other of others) expect(isSameFreeze(one, { ...one, ...other })).toBe(false);
});

test("what is held, by what and until when is said in a line", () => {
  expect(scopeText(ALL)).toBe("every task");
  const deployed = { intent: "deploy", target_signature: "service=web", except_diagnostics: false };
  expect(scopeText(deployed)).toBe("deploy on service=web");
  expect(scopeText({ ...ALL, except_diagnostics: true })).toBe("every task, but not diagnostics");
  const held = { freeze_id: "freeze-1a2b3c4d", reason: "power", until: null };
  expect(heldText(held)).toBe("held by freeze-1a2b3c4d: power");
  expect(heldText({ freeze_id: null, reason: "weekend", until: "2026-03-30T05:00:00.000Z" })).toBe(
    "held by a freeze window until 2026-03-30T05:00:00.000Z: weekend",
  );
});
