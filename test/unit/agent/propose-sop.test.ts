// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
import { describe, expect, test } from "vitest";
import { judgeFinish } from "../../../src/agent/finish.ts";
import { withParameters, withTargetVariables } from "../../../src/agent/parameters.ts";
import { proposeSop } from "../../../src/agent/propose-sop.ts";
import { shellContextOf } from "../../../src/policy/judge-plan.ts";
import { projection } from "../../../src/tasks/projection.ts";
import { agentJournal, changed, checked, looked, refused } from "../../support/agent-journal.ts";
import { aContract, check, cmd, mcpCall } from "../../support/builders.ts";

const contract = aContract({
  target: { service: "web", compose_dir: "/srv/web", branch: "main" },
  payload: { tag: "v1.2.3", note: { title: "Deploy" } },
});
const put = (command: string) => withTargetVariables(command, contract, shellContextOf(contract, "/root"));

describe("values of the target become variables", () => {
  test.each([
    ["docker restart web", 'docker restart "$ORCH_TARGET_SERVICE"'],
    ["systemctl restart web.service", 'systemctl restart "$ORCH_TARGET_SERVICE".service'],
    ["cp index.html /srv/web/public", 'cp index.html "$ORCH_TARGET_COMPOSE_DIR"/public'],
    ['git -C "/srv/web" pull origin main', 'git -C "${ORCH_TARGET_COMPOSE_DIR}" pull origin "$ORCH_TARGET_BRANCH"'],
    ["echo ok > /srv/web/state", 'echo ok > "$ORCH_TARGET_COMPOSE_DIR"/state'],
  ])("%s", (command, expected) => {
    expect(put(command)).toBe(expected);
  });

  test.each(["echo webmaster", "grep 'web' file", "sed -i 's/web/x/' file", "cat <<'END'\nweb\nEND", "true"])(
    "except within other words, or where a variable would be text: %s",
    (command) => {
      expect(put(command)).toBe(command);
    },
  );

  test("in arguments of a tool call only where a value is exactly one of the contract", () => {
    const args = { container: "web", text: "web is up", tags: ["v1.2.3"], title: "Deploy", other: 1 };
    expect(withParameters(args, contract)).toEqual({
      container: "${target.service}",
      text: "web is up",
      tags: ["${payload.tag}"],
      title: "${payload.note.title}",
      other: 1,
    });
  });
});

describe("a proposal", () => {
  const propose = (
    calls: Parameters<typeof agentJournal>[0][number],
    criteria: { criterion: string; evidence_check: string | number }[],
  ) => {
    const known = projection(agentJournal([calls])).agent.calls;
    const verdict = judgeFinish(known, { summary: "done", criteria, done: true }, contract.success_criteria);
    return proposeSop({ contract, calls: known, verdict, home: "/root" });
  };
  const served = [{ criterion: "the page is served", evidence_check: "curl -fsS web" }];

  test("holds the changes that succeeded, in order, and then the checks that proved the result", () => {
    const calls = [
      looked("docker ps"),
      changed("docker pull web"),
      checked("curl -fsS web", { result: { status: "failed", exit_code: 7 } }),
      refused("rm -rf /"),
      changed("docker restart web"),
      { ...changed("x"), step: mcpCall({ server: "notes", tool: "create_note", arguments: { title: "web" } }) },
      checked("curl -fsS web"),
    ];
    expect(propose(calls, served)).toEqual({
      steps: [
        cmd('docker pull "$ORCH_TARGET_SERVICE"'),
        cmd('docker restart "$ORCH_TARGET_SERVICE"'),
        mcpCall({ server: "notes", tool: "create_note", arguments: { title: "${target.service}" } }),
        check('curl -fsS "$ORCH_TARGET_SERVICE"'),
      ],
      criteria: [{ criterion: "the page is served", step_index: 3 }],
      left_out: [],
    });
  });

  test("tells which changes it leaves out", () => {
    const failed = changed("make", { result: { status: "failed", exit_code: 2 } });
    const step = {
      kind: "skill_tool",
      skill: "notes",
      tool: "apply_note_change",
      arguments: {},
      checks: false,
    } as const;
    const { left_out, steps } = propose([failed, { ...changed("x"), step }, checked("curl -fsS web")], served);
    expect(left_out.map(({ index, why }) => [index, why])).toEqual([
      [0, "it ended failed"],
      [1, "a skill's tool cannot be a step of a procedure"],
    ]);
    expect(steps).toHaveLength(1);
  });
});
