// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// The texts of steps as they are taught: what bash does not accept, what a script on disk would do and what would be sent as it is written is
// refused, and a call whose answer no check looks at is warned of.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd, mcpCall } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { type SdkServer, startSdkServer } from "../../../support/tool-server.ts";

let engine: Engine;
let notes: SdkServer;
beforeAll(async () => {
  notes = await startSdkServer();
  engine = await openEngine({ env: { MCP_NOTES_URL: notes.url } });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
});

const SERVICE = `\${target.service}`;
const SCOPE = { constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } };
const create = (name: string) => mcpCall({ server: "notes", tool: "create", arguments: { name } });
const asked = (args: Record<string, string | boolean>) => mcpCall({ server: "notes", tool: "create", arguments: args });
const NGINX = asked({ name: "nginx" });
const adds = mcpCall({ server: "notes", tool: "add", arguments: { a: 1, b: 2 } });
const sum = { ...adds, expect: { path: "", equals: 3 } };

describe("T3: a placeholder inside a longer text", () => {
  test("is refused by teach with both ways out, and nothing runs", async () => {
    const target = { service: "spliced" };
    await engine.run("spliced", { ...SCOPE, target, success_criteria: [] });
    const before = notes.called.length;
    const refusals = [
      await engine.refusal("teach", { task_id: "spliced", steps: [create(`/x/${SERVICE}.txt`), sum] }),
      await engine.refusal("teach", { intent: "deploy", target, steps: [create(`/x/${SERVICE}.txt`), sum] }),
    ];
    for (const { code, issues } of refusals) {
      expect(code).toBe("input_invalid");
      expect(issues).toMatchObject([{ path: "steps.0.arguments.name" }]);
      expect(issues?.[0]?.message).toContain("alone");
      expect(issues?.[0]?.message).toContain("a cmd step, whose shell reads $ORCH_TARGET_SERVICE");
    }
    expect(notes.called.length).toBe(before);
  });

  test("stays in a stored procedure, which is loaded, shown and sent as it is written, as before", async () => {
    const target = { service: "stored" };
    const sop = await engine.plant("deploy", target, [create(`/x/${SERVICE}.txt`), sum]);
    const task = await engine.run("stored", { ...SCOPE, target, delegation_mode: "known_only", success_criteria: [] });
    expect(task).toMatchObject({ status: "ok" });
    expect(notes.called).toContainEqual({ tool: "create", args: { name: `/x/${SERVICE}.txt` } });
    expect(sop).toBeDefined();
  });
});

describe("T4: a call is warned of", () => {
  test.each<[string, readonly object[], readonly number[]]>([
    ["that no check follows", [cmd("true"), create("a-note"), check("test -d /")], [1]],
    ["that a check only precedes", [sum, create("a-note"), check("test -d /")], [1]],
    ["that reads without expect", [adds, check("test -d /")], [0]],
    ["not where a check by a tool of its server follows", [create("a-note"), sum], []],
    ["not where a check of the shell names what it was given", [create("/x/a-note"), check("test -e /x/a-note")], []],
    ["not where a check reads its parameter", [create(SERVICE), check('test -e "/x/$ORCH_TARGET_SERVICE"')], []],
    ["not where a check names its name", [NGINX, check("systemctl is-active nginx")], []],
    ["not where a check names the unit of its name", [NGINX, check("systemctl is-active nginx.service")], []],
    ["not where a check gives its name to an option", [NGINX, check("docker ps -q --filter=name=nginx | grep .")], []],
    ["where a check shares a common word with a text", [asked({ text: "this is a test" }), check("test -d /")], [0]],
    ["where a check only names a boolean", [asked({ force: true, again: "true" }), check("grep -q true f")], [0]],
    ["where its name is a program of a check", [asked({ name: "grep" }), check("grep -q x f")], [0]],
    ["where its name is an option of a check", [asked({ name: "all" }), check("ls --all /etc")], [0]],
    ["where its name is a part of another word", [asked({ name: "web" }), check("test -e /srv/webdav")], [0]],
    ["where a check names the folder of its path", [asked({ path: "/etc/app/a.conf" }), check("test -d /etc")], [0]],
    ["where a check names a short number", [asked({ id: "12" }), check("head -n 12 /etc/hosts | grep -q x")], [0]],
    ["not where it says itself what it expects", [sum, check("test -d /")], []],
  ])("%s", async (name, steps, warned) => {
    const target = { service: name.replaceAll(" ", "-") };
    const { warnings } = await engine.call("teach", { intent: "deploy", target, steps });
    const about = warnings.filter(({ reason }: { reason: string }) => reason.includes("no check on its answer"));
    expect(about.map(({ step_index }: { step_index: number }) => step_index)).toEqual(warned);
  });
});

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

test("a script on disk that a step runs is judged with it, for a task and without one", async () => {
  const script = join(engine.directory, "sweep.sh");
  await writeFile(script, "#!/bin/sh\nrm -rf /usr\n", { mode: 0o755 });
  const steps = [cmd(script), check("test -d /")];
  const blocked = { code: "sop_steps_invalid", message: expect.stringContaining("rm.wide") };
  await engine.run("scripted", { success_criteria: ["the page is served"] });
  expect(await engine.refusal("teach", { task_id: "scripted", steps })).toMatchObject(blocked);
  const given = { intent: "restart", target: { service: "scripted" }, steps, criteria: { "it is up": 1 } };
  expect(await engine.refusal("teach", given)).toMatchObject(blocked);
});
