// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// teach: what bash does not accept is refused with its line and its placeholder.
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const taught = (step: object) => ({
  intent: "restart",
  target: { service: "shop" },
  steps: [cmd("true"), step, check("test -d /")],
  criteria: { "it is up": 2 },
});

test.each<[string, object, string, RegExp]>([
  [
    "a placeholder",
    cmd("docker exec -it web <command>"),
    "steps.1",
    /^parse\.error: step 1, line 1, is not valid bash .*<command> is a placeholder: write the value, .*jq on \$ORCH_PAYLOAD$/,
  ],
  ["a statement without its end", cmd("if true; then echo"), "steps.1", /line 1, is not valid bash .*correct it$/],
  ["a line of several", cmd("echo a\necho )\necho b"), "steps.1", /line 2, is not valid bash/],
  ["a check", check("[ -d / ] &&"), "steps.1", /^parse\.error: step 1, line 1/],
  ["a preview", { ...cmd("echo a"), preview: "echo 'a" }, "steps.1.preview", /the preview of step 1, line 1/],
  ["a parameter of a tool", cmd("echo ${payload.name}"), "steps.1", /\$\{payload\.name\} .* use jq on \$ORCH_PAYLOAD/],
  ["a key of the target", cmd('echo "${target.host}"'), "steps.1", /use \$ORCH_TARGET_HOST/],
])("%s is refused", async (_what, step, path, message) => {
  const { code, issues } = await engine.refusal("teach", taught(step));
  expect(code).toBe("sop_steps_invalid");
  expect(issues[0]).toMatchObject({ path, message: expect.stringMatching(message) });
});

test("steps for a task are refused in the same way, and the task goes on waiting", async () => {
  await engine.run("unfinished", { success_criteria: [] });
  const { code } = await engine.refusal("teach", { task_id: "unfinished", steps: [cmd("if true; then echo")] });
  expect(code).toBe("sop_steps_invalid");
  expect(await engine.outcomeOf("unfinished")).toMatchObject({ status: "need_input" });
});

test.each([
  ["a reference that is quoted", cmd("echo '${payload.name}'")],
  ["redirections that look like a placeholder", cmd("cat <b> c")],
  ["extended patterns that the text switches on", cmd("shopt -s extglob\nls !(a)")],
])("%s is taught", async (_what, step) => {
  expect((await engine.call("teach", taught(step))).sop).toMatchObject({ status: "candidate" });
});
