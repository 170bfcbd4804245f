// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// What policy finds in a plan, and what it says of each finding.
import { describe, expect, test } from "vitest";
import { Finding } from "../../../../src/domain/finding.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { examinePlan, isFreeOfFindings, judgePlan, permissionOf } from "../../../../src/engine/policy/judge-plan.ts";
import { teachingOf } from "../../../../src/engine/tasks/teaching.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";

type Over = {
  readonly scope?: readonly string[];
  readonly contract?: Record<string, unknown>;
  readonly asks?: true;
  readonly proved?: true;
  readonly remote?: true;
};

const context = { home: "/home/op", remote: false };
function planOf(steps: readonly Step[], { scope = [], contract: over = {}, asks, proved, remote }: Over = {}) {
  const contract = aContract({
    constraints: { implicit_scope: [...scope], require_approval_for: [], max_minutes: 1 },
    ...over,
  });
  return {
    contract,
    steps,
    safety_level: asks === true ? ("approval_required" as const) : ("standard" as const),
    intent: contract.intent,
    context: { ...context, remote: remote === true },
    proved: proved === true,
  };
}
const judged = (...plan: Parameters<typeof planOf>) => judgePlan(planOf(...plan));

const NOTES = { scope: ["notes"] };
const DOCKER = { scope: ["cmd:docker"] };
const TRIAGE = { contract: { intent: "triage" } };
const at = (target: Record<string, string>): Over => ({ contract: { target } });
const call = (over: object) => [mcpCall(over)];
const reconciling = (reconcile: string, step: Step = cmd("touch x")): Step[] => [{ ...step, reconcile } as Step];
const REFERENCE: Over = { contract: { payload: { token: "$var:f/prod/token" } } };
const MAX = 1_048_576;
/** A contract with which the arguments of each such call have so many bytes. */
const sending = (bytes: number): Over => ({
  ...NOTES,
  contract: { payload: { text: "x".repeat(bytes - '{"a":""}'.length) } },
});
const sent = mcpCall({ arguments: { a: "${payload.text}" } });
const nest = (value: unknown, levels: number): unknown => (levels === 0 ? value : { n: nest(value, levels - 1) });
const DEEP: Over = { ...NOTES, contract: { payload: { deep: nest(1, 20) } } };
const deeper = mcpCall({ arguments: { a: nest("${payload.deep}", 20) as string } });

test.each<[string, readonly Step[], Over, string]>([
  ["nothing in an ordinary command", [cmd("ls")], {}, ""],
  [
    "a cmd and a check alike, each at its index",
    [cmd("ls"), cmd("rm -rf /"), check("git reset --hard")],
    {},
    "1 block rm.wide, 2 block git.reset_hard",
  ],
  ["a block before a question", [cmd("$X"), cmd("rm -rf /")], {}, "1 block rm.wide, 0 ask dyn.program"],
  ["a question about what cannot be decided", [cmd("curl x | sh")], {}, "0 ask dyn.pipe_to_shell"],
  ["nothing in a wait under any limit", [wait("1s")], { ...DOCKER, ...TRIAGE }, ""],
  ["nothing in the compose_dir of the target", [cmd("rm -rf ./*")], at({ compose_dir: "/srv/app" }), ""],
  ["a compose_dir of the system", [cmd("rm -rf ./*")], at({ compose_dir: "/usr" }), "0 block rm.wide"],
  ["the home where there is no compose_dir", [cmd("rm -rf ./*")], at({}), "0 block rm.wide"],
  ["a harmless value of the target", [cmd('rm -rf "$ORCH_TARGET_CACHE"')], at({ cache: "/srv/cache" }), ""],
  ["a harmful one", [cmd('rm -rf "$ORCH_TARGET_CACHE"')], at({ cache: "/" }), "0 block rm.wide"],
  ["a server that is not listed", [mcpCall()], { scope: ["tickets"] }, "0 block scope.server"],
  ["none that is listed in other letters", call({ server: "Notes" }), { scope: ["nOTES"] }, ""],
  ["no program where none is limited", [cmd("docker ps")], NOTES, ""],
  ["the programs that are not listed", [cmd("cd x && docker ps"), check("curl x")], DOCKER, "1 block scope.program"],
  ["a wrapper as a program of its own", [cmd("sudo docker ps")], DOCKER, "0 block scope.program"],
  ["what a wrapper runs", [cmd("sudo curl x")], { scope: ["cmd:sudo"] }, "0 block scope.program"],
  ["neither where both are listed", [cmd("sudo docker ps")], { scope: ["cmd:docker", "cmd:sudo"] }, ""],
  ["a program without a name", [cmd("$TOOL")], DOCKER, "0 block scope.program, 0 ask dyn.program"],
  [
    "every cmd and call that is to be approved",
    [cmd("ls"), wait("1s"), mcpCall(), check("true")],
    { ...NOTES, asks: true },
    "0 ask safety.approval_required, 2 ask safety.approval_required",
  ],
  [
    "a plan of checks that is to be approved, once",
    [check("true"), check("ls")],
    { asks: true },
    "0 ask safety.approval_required",
  ],
  [
    "what changes under an intent that only looks",
    [cmd("docker restart web"), check("rm x"), cmd("docker ps")],
    TRIAGE,
    "0 block read_only.changes_state, 1 block read_only.changes_state",
  ],
  ["no such thing under another intent", [cmd("docker restart web"), cmd("my-probe")], {}, ""],
  [
    "a change first, and what is not known",
    [cmd("my-probe"), check("./check.sh"), cmd("rm x")],
    TRIAGE,
    "2 block read_only.changes_state, 0 ask read_only.unknown_effect, 1 ask read_only.unknown_effect",
  ],
  [
    "a change alone where the steps are proved",
    [cmd("my-probe"), cmd("rm x")],
    { ...TRIAGE, proved: true },
    "1 block read_only.changes_state",
  ],
  [
    "what cannot be decided, also where they are proved",
    [cmd("$(cat tool)")],
    { ...TRIAGE, proved: true },
    "0 ask dyn.program",
  ],
  [
    "an unknown parameter, also a nested one",
    call({ arguments: { b: [{ c: "${payload.x.y}" }] } }),
    NOTES,
    "0 block parameter.unknown",
  ],
  [
    "no known parameter, and no text around one",
    call({ arguments: { a: "${target.service}", b: "see ${target.x}" } }),
    NOTES,
    "",
  ],
  [
    "arguments of more than the limit together",
    [cmd("ls"), sent, sent, sent],
    sending(MAX / 2 + 1),
    "2 block parameter.too_large",
  ],
  ["none of exactly the limit", [check("true"), wait("1s"), sent, cmd("ls"), sent], sending(MAX / 2), ""],
  ["an argument that nests too deep", [wait("1s"), deeper], DEEP, "1 block parameter.too_large"],
  [
    "what an engine would replace, before its questions",
    [cmd("ls"), cmd("$X --all")],
    { ...REFERENCE, remote: true },
    "0 block engine.reference, 1 ask dyn.program",
  ],
  ["nothing of that on this machine", [cmd("ls"), cmd("$X --all")], REFERENCE, "1 ask dyn.program"],
  ["nothing in a reconcile command that only looks", reconciling("test -e x"), NOTES, ""],
  ["one that changes something", reconciling("touch looked"), NOTES, "0 block reconcile.changes_state"],
  [
    "one that changes something, of a tool call",
    reconciling("touch looked", mcpCall()),
    NOTES,
    "0 block reconcile.changes_state",
  ],
  ["one of unknown effect", reconciling("some-unknown-program --now"), NOTES, "0 ask reconcile.unknown_effect"],
  ["none of unknown effect of a procedure in use", reconciling("some-unknown-program"), { ...NOTES, proved: true }, ""],
  ["one with a program out of scope", reconciling("docker ps"), { scope: ["cmd:touch"] }, "0 block scope.program"],
])("policy finds %s", (_, steps, over, wanted) => {
  const found = judged(steps, over).map(({ step_index, verdict, code }) => `${step_index} ${verdict} ${code}`);
  expect(found.join(", ")).toBe(wanted);
});

test("a reconcile command is held to the guard", () => {
  expect(judged(reconciling("rm -rf /"), NOTES)).toContainEqual(expect.objectContaining({ code: "rm.wide" }));
});

const SCOPE = { verdict: "block", category: null };
const ASKED = "the procedure asks for approval every time it runs; have its steps approved";
const APPROVAL = { step_index: 0, verdict: "ask", code: "safety.approval_required", category: null, reason: ASKED };

test.each<[string, readonly Step[], Over, object]>([
  [
    "a server out of scope",
    [mcpCall()],
    DOCKER,
    {
      ...SCOPE,
      command: null,
      reason: "server notes is not in implicit_scope; submit a contract that names it, or leave the step out",
    },
  ],
  [
    "a program out of scope",
    [cmd("curl x")],
    DOCKER,
    {
      ...SCOPE,
      command: "curl x",
      reason: "program curl is not in implicit_scope; add cmd:curl to a new contract, or leave it out",
    },
  ],
  [
    "a program without a name",
    [cmd("$TOOL")],
    DOCKER,
    {
      ...SCOPE,
      command: "$TOOL",
      reason: "a program cannot be determined from the text while implicit_scope limits programs; write its name out",
    },
  ],
  ["an approval of a command", [cmd("ls")], { asks: true }, { ...APPROVAL, command: "ls" }],
  ["an approval of the first check", [check("true"), check("ls")], { asks: true }, { ...APPROVAL, command: "true" }],
  ["an approval of a tool call", [mcpCall()], { ...NOTES, asks: true }, { ...APPROVAL, command: null }],
  ["an approval of a plan that only waits", [wait("1s")], { asks: true }, { ...APPROVAL, command: null }],
  ["an approval of a plan without steps", [], { asks: true }, { ...APPROVAL, command: null }],
  [
    "a change under an intent that only looks",
    [cmd("rm x")],
    TRIAGE,
    {
      reason: expect.stringMatching(
        /^intent triage only looks, and this step .+; use a command that changes nothing, or another intent$/,
      ),
    },
  ],
  [
    "an unknown effect under such an intent",
    [cmd("docker ps"), cmd("df; my-probe --all")],
    TRIAGE,
    {
      step_index: 1,
      command: "my-probe --all",
      category: null,
      reason:
        "intent triage only looks, and program my-probe is not known to only look; approve it if it changes nothing, or use a command that is known",
    },
  ],
  ...[{ equals: { name: "${payload.name}" } }, { contains: "${payload.name}" }].map(
    (expected): [string, readonly Step[], Over, object] => [
      `an unknown parameter of what a call expects, ${Object.keys(expected)[0]}`,
      call({ expect: expected }),
      NOTES,
      {
        step_index: 0,
        verdict: "block",
        code: "parameter.unknown",
        command: null,
        category: null,
        reason:
          "${payload.name} names nothing in the contract; correct the name, or put the value into target or payload",
      },
    ],
  ),
  [
    "arguments that are too large",
    [sent, sent],
    sending(MAX / 2 + 1),
    {
      command: null,
      category: null,
      reason: "with its parameters resolved, the steps come to more than 1048576 bytes; pass less of it",
    },
  ],
  [
    "an argument that is too deep",
    [deeper],
    DEEP,
    {
      reason: expect.stringMatching(
        /^with its parameters resolved, a(\.n)+ is nested deeper than 32 levels; flatten it$/,
      ),
    },
  ],
  [
    "a reconcile command that changes",
    reconciling("touch x"),
    NOTES,
    { reason: expect.stringContaining("change nothing") },
  ],
  [
    "the change, the consequences and the reach of a whole step",
    [cmd("docker restart web; rm -rf $X/y; ssh nas true"), mcpCall()],
    { ...NOTES, asks: true },
    {
      change: "changes",
      consequences: ["restarts_service", "deletes_data"],
      blast: { containers: ["web"], hosts: ["nas"], more: 0 },
    },
  ],
])("a finding says what is wrong and what to do: %s", (_, steps, over, wanted) => {
  const [finding] = judged(steps, over);
  expect(finding).toMatchObject(wanted);
  expect(Finding.parse(finding), "it can be stored").toEqual(finding);
});

test("a step that is no command has no reach", () => {
  expect(judged([mcpCall()], { ...NOTES, asks: true })[0]).not.toHaveProperty("blast");
});

test.each<[string, Step, Over, string]>([
  ["without a finding", cmd("ls"), {}, "allow"],
  ["with a question", cmd("curl x | sh"), {}, "ask"],
  ["with a block", mcpCall(), {}, "deny"],
  ["with a block that is to be approved as well", cmd("rm -rf /"), { asks: true }, "deny"],
])("a plan %s is decided: %s", (_, step, over, permission) => {
  expect(permissionOf(judged([step], over))).toBe(permission);
});

describe("a reconcile command", () => {
  test("runs a script that is judged, and compared, with the step", () => {
    const plan = planOf(reconciling("bash /srv/look.sh"), NOTES);
    const { steps } = examinePlan(plan);
    expect([...(steps[0]?.known.keys() ?? [])]).toEqual(["/srv/look.sh"]);
    const judgedAs = (text: string) => isFreeOfFindings(plan, 0, new Map([["/srv/look.sh", text]]));
    expect([judgedAs("test -e x\n"), judgedAs("rm -rf /\n")]).toEqual([true, false]);
  });

  test("that is refused is named by its field when it is taught", () => {
    const steps = [...reconciling("touch looked"), check("test -e x")];
    const definition = { steps, safety_level: "standard" as const, preconditions: [] };
    const message = expect.stringContaining("a reconcile command only looks");
    expect(teachingOf(aContract(), definition, context).issues).toMatchObject([{ path: "steps.0.reconcile", message }]);
  });
});
