// Calls of tools as they are taught: what would be sent as it is written is refused, and a call whose answer no check looks at is warned of.
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
    [
      "not where a check of the shell reads its parameter",
      [create(SERVICE), check('test -e "/x/$ORCH_TARGET_SERVICE"')],
      [],
    ],
    [
      "not where a check names what it was given by its name",
      [asked({ name: "nginx" }), check("systemctl is-active nginx")],
      [],
    ],
    [
      "not where a check names the unit of its name",
      [asked({ name: "nginx" }), check("systemctl is-active nginx.service")],
      [],
    ],
    [
      "not where a check gives its name to an option",
      [asked({ name: "nginx" }), check("docker ps --quiet --filter=name=nginx | grep -q .")],
      [],
    ],
    ["where a check shares a common word with a text", [asked({ text: "this is a test" }), check("test -d /")], [0]],
    [
      "where a check only names a boolean",
      [asked({ force: true, again: "true" }), check("grep -q true /etc/hosts")],
      [0],
    ],
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
