// Which steps can be taught [4.teach]: to a task, and without one.
import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import { SopDefinition } from "../../../../src/domain/sop.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { definitionOf, teachingOf } from "../../../../src/engine/tasks/teaching.ts";
import { aContract, check, cmd, mcpCall } from "../../../support/builders.ts";

const HOME = "/home/op";
const CONTEXT = { home: HOME, remote: false };
const TARGET = { service: "web" };

const defined = (steps: readonly Step[], over: Partial<SopDefinition> = {}): SopDefinition =>
  SopDefinition.parse({ steps, ...over });
const shown = (issues: readonly { readonly path: string; readonly message: string }[]) =>
  issues.map(({ path, message }) => `${path} ${message.split(/[ :]/, 1)[0]}`);

describe("steps that are taught to a task", () => {
  const taught = (steps: readonly Step[], contract: TaskContract = aContract(), remote = false) =>
    teachingOf(contract, defined(steps), { home: HOME, remote });

  test("have an issue for each criterion without a check, and for each step that is blocked", () => {
    const contract = aContract({ success_criteria: ["it runs", "it answers"] });
    expect(taught([cmd("ls"), cmd("rm -rf ~"), check("test -d /"), mcpCall()], contract).issues).toEqual([
      { path: "steps", message: 'success criterion "it answers" has no check step; add one, or map it in criteria' },
      {
        path: "steps.1",
        message: `rm.wide: deletes ${HOME} and all below it; name the directory of the project instead`,
      },
      {
        path: "steps.3",
        message:
          "scope.server: server notes is not in implicit_scope; submit a contract that names it, or leave the step out",
      },
    ]);
  });

  test("have no issue for a step that is only asked about", () => {
    expect(taught([cmd("$DEPLOY --all"), check("test -d /")]).issues).toEqual([]);
    expect(taught([cmd("my-probe"), check("test -d /")], aContract({ intent: "triage" })).issues).toEqual([]);
  });
});

describe("steps that are defined without a task", () => {
  const definition = (steps: readonly Step[], criteria?: Record<string, number>, intent = "deploy") =>
    definitionOf(intent, TARGET, defined(steps, { criteria }), CONTEXT);

  // biome-ignore lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
  const unknown = mcpCall({ arguments: { a: "${payload.name}" } });
  test.each<[string, Step]>([
    ["a tool server that no contract names yet", mcpCall()],
    ["a parameter that no contract holds yet", unknown],
    ["a step that is only asked about", cmd("$DEPLOY --all")],
    ["what a flow engine would replace", cmd("$DEPLOY")],
    ["a directory with the name of the task", cmd('rm -rf "/$ORCH_TASK_ID"')],
  ])("have no issue for %s", (_what, step) => {
    expect(definition([step, check("test -d /")]).issues).toEqual([]);
  });

  test("are judged with the values of their target", () => {
    const steps = [cmd('rm -rf "$ORCH_TARGET_CACHE"'), check("test -d /")];
    const issuesWith = (cache: string) => definitionOf("deploy", { cache }, defined(steps), CONTEXT).issues;
    expect(issuesWith("/srv/cache")).toEqual([]);
    expect(shown(issuesWith("/"))).toEqual(["steps.0 rm.wide"]);
  });
});
