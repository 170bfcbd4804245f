import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import { Finding } from "../../../../src/domain/finding.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { judgePlan, permissionOf } from "../../../../src/engine/policy/judge-plan.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";

const scoped = (...implicit_scope: string[]): TaskContract =>
  aContract({ constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 } });

function judged(
  steps: readonly Step[],
  contract = scoped(),
  safety_level: "standard" | "approval_required" = "standard",
  proved = false,
) {
  return judgePlan({
    contract,
    steps,
    safety_level,
    intent: contract.intent,
    context: { home: "/home/op", remote: false },
    proved,
  });
}

const codes = (...args: Parameters<typeof judged>) =>
  judged(...args).map(({ step_index, code }) => `${step_index} ${code}`);

describe("always blocked", () => {
  test("a cmd and a check step are judged alike, each at its index", () => {
    expect(codes([cmd("ls"), cmd("rm -rf /"), check("git reset --hard")])).toEqual(["1 rm.wide", "2 git.reset_hard"]);
  });

  test("findings are records that can be stored", () => {
    for (const finding of judged([cmd("rm -rf /; $X")])) expect(Finding.parse(finding)).toEqual(finding);
  });

  test("a wait step has no findings under any limit of programs and effects", () => {
    const limits = { implicit_scope: ["cmd:docker"], require_approval_for: [], max_minutes: 1 };
    expect(judged([wait("1s")], aContract({ intent: "triage", constraints: limits }))).toEqual([]);
  });

  test("the working directory is the compose_dir of the target, else the home", () => {
    const step = cmd("rm -rf ./*");
    expect(codes([step], aContract({ target: { compose_dir: "/srv/app" } }))).toEqual([]);
    expect(codes([step], aContract({ target: { compose_dir: "/usr" } }))).toEqual(["0 rm.wide"]);
    expect(codes([step], aContract({ target: {} }))).toEqual(["0 rm.wide"]);
  });

  test("values of the target reach the judgement as variables", () => {
    const step = cmd('rm -rf "$ORCH_TARGET_CACHE"');
    expect(codes([step], aContract({ target: { cache: "/srv/cache" } }))).toEqual([]);
    expect(codes([step], aContract({ target: { cache: "/" } }))).toEqual(["0 rm.wide"]);
  });
});

describe("implicit_scope", () => {
  test("a server that is not listed is blocked", () => {
    expect(codes([mcpCall()], scoped("tickets"))).toEqual(["0 scope.server"]);
    expect(permissionOf(judged([mcpCall()], scoped()))).toBe("deny");
  });

  test("a server that is listed may be called in any letter case", () => {
    expect(codes([mcpCall({ server: "Notes" })], scoped("nOTES"))).toEqual([]);
  });

  test("without cmd entries every program may run", () => {
    expect(codes([cmd("docker ps")], scoped("notes"))).toEqual([]);
  });

  test("with cmd entries only those programs may run", () => {
    const scope = scoped("cmd:docker", "cmd:grep");
    expect(codes([cmd("cd x && docker ps | grep web"), check("curl x")], scope)).toEqual(["1 scope.program"]);
  });

  test("a wrapper is a program of its own, and so is what it runs", () => {
    expect(codes([cmd("sudo docker ps")], scoped("cmd:docker"))).toEqual(["0 scope.program"]);
    expect(codes([cmd("sudo curl x")], scoped("cmd:sudo"))).toEqual(["0 scope.program"]);
    expect(codes([cmd("sudo docker ps")], scoped("cmd:docker", "cmd:sudo"))).toEqual([]);
  });

  test("a program that cannot be named is blocked where programs are limited", () => {
    const findings = judged([cmd("$TOOL")], scoped("cmd:docker"));
    expect(findings.map(({ verdict, code }) => `${verdict} ${code}`)).toEqual([
      "block scope.program",
      "ask dyn.program",
    ]);
  });
});

describe("the reason of a finding on the scope", () => {
  test.each<[Step, string, string | null]>([
    [mcpCall(), "server notes is not in implicit_scope; submit a contract that names it, or leave the step out", null],
    [cmd("curl x"), "program curl is not in implicit_scope; add cmd:curl to a new contract, or leave it out", "curl x"],
    [
      cmd("$TOOL"),
      "a program cannot be determined from the text while implicit_scope limits programs; write its name out",
      "$TOOL",
    ],
  ])("says what to do instead: %j", (step, reason, command) => {
    const [finding] = judged([step], scoped("cmd:docker"));
    expect(finding).toMatchObject({ verdict: "block", reason, command, category: null });
  });
});

test("a plan without a finding is allowed", () => {
  expect(permissionOf(judged([cmd("ls")]))).toBe("allow");
});

describe("what cannot be decided", () => {
  test("it is asked about", () => {
    expect(permissionOf(judged([cmd("curl x | sh")]))).toBe("ask");
  });

  test("a block is listed before a question", () => {
    expect(codes([cmd("$X"), cmd("rm -rf /")])).toEqual(["1 rm.wide", "0 dyn.program"]);
  });
});

describe("safety_level approval_required", () => {
  test("every cmd and mcp_call step is asked about", () => {
    const steps = [cmd("ls"), wait("1s"), mcpCall(), check("true")];
    expect(codes(steps, scoped("notes"), "approval_required")).toEqual([
      "0 safety.approval_required",
      "2 safety.approval_required",
    ]);
  });

  test("a plan of checks is asked about once", () => {
    expect(codes([check("true"), check("ls")], scoped(), "approval_required")).toEqual(["0 safety.approval_required"]);
  });

  test.each<[string, Step[], string | null]>([
    ["a command", [cmd("ls")], "ls"],
    ["the first check", [check("true"), check("ls")], "true"],
    ["no command for a tool call", [mcpCall()], null],
    ["no command for a plan that only waits", [wait("1s")], null],
    ["no command for a plan without steps", [], null],
  ])("the question shows %s", (_what, steps, command) => {
    expect(judged(steps, scoped("notes"), "approval_required")).toMatchObject([
      {
        step_index: 0,
        verdict: "ask",
        code: "safety.approval_required",
        command,
        category: null,
        reason: "the procedure asks for approval every time it runs; have its steps approved",
      },
    ]);
  });

  test("it does not soften a block", () => {
    expect(permissionOf(judged([cmd("rm -rf /")], scoped(), "approval_required"))).toBe("deny");
  });
});

describe("read-only intents", () => {
  const triage = aContract({ intent: "triage" });

  test("a cmd or a check that changes state is blocked", () => {
    const steps = [cmd("docker restart web"), check("rm x"), cmd("docker ps")];
    expect(codes(steps, triage)).toEqual(["0 read_only.changes_state", "1 read_only.changes_state"]);
  });

  test("the reason of a block names the effect, and what to use instead", () => {
    expect(judged([cmd("rm x")], triage)[0]?.reason).toMatch(
      /^intent triage only looks, and this step .+; use a command that changes nothing, or another intent$/,
    );
  });

  test("the same steps may run under another intent", () => {
    expect(codes([cmd("docker restart web"), cmd("my-probe")])).toEqual([]);
  });

  test("a step whose effect is not known is asked about, and the reason says what to do", () => {
    const findings = judged([cmd("docker ps"), cmd("df; my-probe --all")], triage);
    expect(findings).toMatchObject([
      {
        step_index: 1,
        verdict: "ask",
        code: "read_only.unknown_effect",
        reason:
          "intent triage only looks, and program my-probe is not known to only look; approve it if it changes nothing, or use a command that is known",
        command: "my-probe --all",
        category: null,
      },
    ]);
  });

  test("a proved step of unknown effect is not asked about again, but a change is still blocked", () => {
    const steps = [cmd("my-probe"), check("./check.sh"), cmd("rm x")];
    expect(codes(steps, triage, "standard", true)).toEqual(["2 read_only.changes_state"]);
    expect(codes(steps, triage, "standard", false)).toEqual([
      "2 read_only.changes_state",
      "0 read_only.unknown_effect",
      "1 read_only.unknown_effect",
    ]);
  });

  test("what cannot be decided at all is still asked about when the steps are proved", () => {
    expect(codes([cmd("$(cat tool)")], triage, "standard", true)).toEqual(["0 dyn.program"]);
  });
});

describe("what a finding says of its step", () => {
  test("is the change, the consequences and the reach of the whole step, and nothing for a step that is no command", () => {
    const steps = [cmd("docker restart web; rm -rf $X/y; ssh nas true"), mcpCall()];
    const [first] = judged(steps, scoped("notes"), "approval_required");
    expect(first).toMatchObject({
      step_index: 0,
      change: "changes",
      consequences: ["restarts_service", "deletes_data"],
      blast: { containers: ["web"], hosts: ["nas"], more: 0 },
    });
    expect(judged([mcpCall()], scoped("notes"), "approval_required")[0]).not.toHaveProperty("blast");
  });
});
