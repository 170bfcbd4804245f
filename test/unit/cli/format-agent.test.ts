// What `orch task --follow` prints of an agent. The agent's text, its calls and their findings are data.
import { describe, expect, test } from "vitest";
import { createEventFormat } from "../../../src/cli/follow-task.ts";
import type { AgentCallJudged, AgentReplied } from "../../../src/domain/agent-events.ts";
import type { NewEvent } from "../../../src/domain/journal.ts";
import { aResult, check, cmd, journalOf } from "../../support/builders.ts";

/** The printed lines without the time of day. */
function told(...events: readonly NewEvent[]): string[] {
  const format = createEventFormat((_style, text) => text);
  return journalOf(...events).flatMap((event) => format(event).map((line) => line.slice(10)));
}

const INDENT = " ".repeat(19);
const HOSTILE = "\u001b[2J\u202eor\u0000ch\r\nDONE";

const replied = (over: Partial<AgentReplied> = {}): NewEvent => ({
  kind: "agent_replied",
  body: { turn: 3, text: "", thinking: null, calls: [], fault: null, latency_ms: 1_250, ...over },
});
const judged = (over: Partial<AgentCallJudged> = {}): NewEvent => ({
  kind: "agent_call_judged",
  body: { index: 4, verdict: "allow", reason: null, step: null, effect: "reads", findings: [], ...over },
});
const called = (index: number, name: string, given: object, over: object = {}) => ({
  index,
  call_id: `call-${index}`,
  name,
  arguments: given as Record<string, never>,
  ...over,
});

describe("an agent is shown", () => {
  test("with its model and tools, and the tool servers that did not list theirs", () => {
    const body = { model: "small:1b", tools: ["finish", "shell"], missing: ["wiki: ECONNREFUSED"] };
    expect(told({ kind: "agent_equipped", body: { agent_backend: "react", ...body } })).toEqual([
      "agent              react on small:1b, 2 tools: finish, shell",
      `${INDENT}wiki: ECONNREFUSED`,
    ]);
  });

  test("with its text and calls, turn by turn", () => {
    const calls = [
      called(4, "shell", { command: "echo one" }),
      called(5, "shell", { command: "test -s made", check: true }, { added: true }),
    ];
    expect(told(replied({ text: "First I look.\nThen I write.\n", thinking: "hidden", calls }))).toEqual([
      "turn 3             2 calls, 1.3 s",
      `${INDENT}| First I look.`,
      `${INDENT}| Then I write.`,
      `${INDENT}call 4  shell {"command":"echo one"}`,
      `${INDENT}call 5  shell {"command":"test -s made","check":true}  (for finish)`,
    ]);
    expect(told(replied())).toEqual(["turn 3             0 calls, 1.3 s"]);
    expect(told(replied({ fault: "timeout" }))).toEqual(["turn 3             no usable reply: timeout"]);
  });

  test("with long arguments cut to one line", () => {
    const [, line = ""] = told(replied({ calls: [called(4, "shell", { command: "x".repeat(10_000) })] }));
    expect(line).toMatch(/^ +call 4 {2}shell \{"command":"x+$/);
    expect(line.length).toBeLessThan(400);
  });

  test("with its end", () => {
    const criteria = [{ criterion: 1, evidence_check: "test -s made" }];
    expect(
      told(
        { kind: "agent_finished", body: { done: true, index: 6, summary: "It is\nwritten.", criteria } },
        { kind: "agent_stopped", body: { reason_code: "agent_idle", message: "The model has called no tool." } },
      ),
    ).toEqual([
      "finish             It is  written.",
      `${INDENT}1  to be proved by  test -s made`,
      "agent stopped      agent_idle: The model has called no tool.",
    ]);
  });
});

describe("a call is shown", () => {
  const finding = { step_index: 4, verdict: "ask", command: null, category: "writes" } as const;

  test.each<[string, Partial<AgentCallJudged>, string[]]>([
    ["that may run", { step: cmd("echo a\necho b") }, ["call 4             may run  echo a ..."]],
    ["of finish", {}, ["call 4             may run"]],
    [
      "that needs an approval, with the reasons",
      {
        verdict: "ask",
        step: cmd("echo a"),
        findings: [
          { ...finding, code: "category.matched", reason: "It writes." },
          { ...finding, code: "dyn.program", reason: "Cannot be told." },
        ],
      },
      [
        "call 4             needs an approval  echo a",
        `${INDENT}category.matched  It writes.`,
        `${INDENT}dyn.program  Cannot be told.`,
      ],
    ],
    [
      "that is refused, with the reason",
      { verdict: "refuse", step: cmd("rm -rf /"), reason: "it deletes /" },
      ["call 4             refused: it deletes /"],
    ],
    [
      "that is faulty",
      { verdict: "fault", reason: 'there is no tool "x"' },
      ['call 4             is no call: there is no tool "x"'],
    ],
  ])("%s", (_which, over, lines) => {
    expect(told(judged(over))).toEqual(lines);
  });

  test("with its command when it starts, fails or starts again", () => {
    const events = [
      judged({ index: 0, step: cmd("echo one") }),
      judged({ index: 2, step: check("test -s made") }),
      { kind: "step_started", body: { index: 2, attempt: 1 } },
      { kind: "step_finished", body: aResult({ index: 2, status: "failed", exit_code: 1, stderr: "gone\n" }) },
      { kind: "step_started", body: { index: 0, attempt: 2 } },
    ] as const satisfies NewEvent[];
    expect(told(...events).slice(2)).toEqual([
      "step 2             check  test -s made",
      "step 2             failed, exit 1, 1 ms",
      `${INDENT}| gone`,
      "step 0, attempt 2  cmd  echo one",
    ]);
  });
});

test("text of a model reaches the terminal without control characters", () => {
  const lines = told(
    { kind: "agent_equipped", body: { agent_backend: "plain", model: HOSTILE, tools: [HOSTILE], missing: [HOSTILE] } },
    replied({ text: HOSTILE, calls: [called(0, HOSTILE, { [HOSTILE]: HOSTILE })] }),
    replied({ fault: HOSTILE }),
    judged({ verdict: "refuse", reason: HOSTILE }),
    judged({
      index: 0,
      verdict: "ask",
      step: cmd(`echo ${HOSTILE.replace("\0", "")}`),
      findings: [
        { step_index: 0, verdict: "ask", code: "parse.error", reason: HOSTILE, command: null, category: null },
      ],
    }),
    { kind: "step_started", body: { index: 0, attempt: 1 } },
    {
      kind: "agent_finished",
      body: { done: true, index: 1, summary: HOSTILE, criteria: [{ criterion: HOSTILE, evidence_check: HOSTILE }] },
    },
    { kind: "agent_stopped", body: { reason_code: "agent_idle", message: HOSTILE } },
  );
  expect(lines.length).toBeGreaterThan(12);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  // No line can imitate a line of orch.
  for (const line of lines) expect(line).not.toMatch(/^DONE/);
});
