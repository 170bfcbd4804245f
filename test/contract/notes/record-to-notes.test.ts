// record_to_notes as an SOP of the files that are shipped (capabilities/notes/examples): imported, promoted, run on a notes server.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { startNotesServer } from "../../simulators/notes/notes-server.ts";
import { cliOf } from "../../support/cli-process.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const EXAMPLES = join(import.meta.dirname, "../../../capabilities/notes/examples");
const SHIPPED_URL = "http://127.0.0.1:8123/mcp";
const NOTE = "ideas";
const POLL = { timeout: 8_000, interval: 10 };
const TOKEN = "the-token-that-the-notes-server-wants";

/** A shipped file for a notes server that listens elsewhere. */
async function shipped(file: string, url: string): Promise<string> {
  const text = await readFile(join(EXAMPLES, file), "utf8");
  if (!text.includes(SHIPPED_URL)) throw new Error(`${file} does not name ${SHIPPED_URL}`);
  return text.replaceAll(SHIPPED_URL, url);
}

function someIdeas() {
  const model = createNotesModel();
  model.add({ note_id: NOTE, title: "Ideas", content: "About: Ideas" });
  return model;
}

// A notes server, and orch with the shipped SOP, promoted and past its trial.
const model = someIdeas();
const notes = held(await startNotesServer("native", { model }));
const engine = held(await openEngine({ env: { MCP_NOTES_URL: notes.url } }));
const imported = await engine.call("import_sop", { file: await shipped("record-to-notes.sop.yaml", notes.url) });
const { sop_id } = imported.sop;
await engine.call("approve", { approval_id: imported.approval_id, decision: "approve" });
while ((await engine.call("get_sop", { sop_id })).sop.status !== "active") await setTimeout(10);
await engine.endTrial(sop_id);
const contract = JSON.parse(await shipped("record-to-notes.contract.json", notes.url));

const content = () => model.note(NOTE)?.content;
const recorded = (task_id: string, text: string, over: object = {}) =>
  engine.call("submit_task", { ...contract, task_id, payload: { content: text }, ...over, wait_seconds: 30 });
const checksOf = async (task_id: string) => (await engine.call("get_evidence", { task_id })).verdict.checks;
/** How many writes and calls the notes server gets. */
async function counting<T>(work: () => Promise<T>) {
  const [writes, calls] = [notes.writes().length, notes.calls().length];
  const task = await work();
  return { task, writes: notes.writes().length - writes, calls: notes.calls().length - calls };
}
const failed = (step_index: number, reason_code = "check_failed") => ({
  status: "failed",
  outcome: { reason_code, step_index },
});

beforeEach(() => {
  Object.assign(model.note(NOTE) ?? {}, { content: "About: Ideas" });
  Object.assign(notes.switches, { sse: false, lying_success: false, before_write: undefined });
});

describe("the shipped SOP for record_to_notes", () => {
  test("appends the record once, reads it back from outside of the call, and keeps evidence [2.intent.record_to_notes] [2.kind.mcp_call] [1.A.8.data] [3.rule.3]", async () => {
    const { task, writes } = await counting(() => engine.call("submit_task", { ...contract, wait_seconds: 30 }));
    expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "verified" }, sop_id });
    expect(content()).toMatch(/^About: Ideas<h2>record-deploy-web-1<\/h2>\s*<ul>\s*<li>deployed <em>web/);
    const args = { noteId: NOTE, content: contract.payload.content };
    expect([writes, notes.writes().at(-1)]).toEqual([1, { tool: "append_to_note", args }]);
    expect(notes.calls().at(-1)).toEqual({ tool: "get_note_content", args: { noteId: NOTE } });
    expect(await checksOf(task.task_id)).toMatchObject([
      { criterion: "the record names its task", passed: true },
      { criterion: "the note holds the record", passed: true },
    ]);
  });

  test("finds Markdown again that comes back in other characters than it went in", async () => {
    const text = "# markdown\n\n* deployed: größer als zuvor\n* served\n";
    expect(await recorded("markdown", text)).toMatchObject({ status: "ok" });
    expect(content()).not.toContain(text);
  });

  test("is found where the server answers with streams of events", async () => {
    notes.switches.sse = true;
    expect(await recorded("streamed", "streamed: deployed")).toMatchObject({ status: "ok" });
  });

  // On the command line of a server process, because the home directory of the steps is that of the account.
  test("reads the token that the notes server wants from a file of the account, and fails without that [5.1]", async () => {
    await using home = await temporaryDirectory();
    await using notes = await startNotesServer("native", { model: someIdeas(), switches: { bearer: TOKEN } });
    const orch = await startOrchProcess({
      data_dir: home.path,
      env: { MCP_NOTES_URL: notes.url, MCP_NOTES_TOKEN: TOKEN },
    });
    const said = async (...args: string[]) => JSON.parse((await cliOf(orch)(["--json", ...args])).stdout);
    /** A version on trial asks for an approval. */
    const submitted = async (file: string) => {
      const { outcome } = await said("submit", file, "--wait");
      expect(outcome).toMatchObject({ reason_code: "approval_required" });
      return said("approve", outcome.approval_id, "--wait");
    };
    const written = async (name: string, text: string) => {
      await writeFile(join(home.path, name), text);
      return join(home.path, name);
    };
    try {
      const file = await written("sop.yaml", await shipped("record-to-notes.sop.yaml", notes.url));
      const { sop, approval_id } = await said("sop", "import", file);
      await said("approve", approval_id);
      await expect.poll(async () => (await said("sop", "show", sop.sop_id)).sop.status, POLL).toBe("active");
      const text = await shipped("record-to-notes.contract.json", notes.url);
      const first = await submitted(await written("contract.json", text));
      expect(first).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 2 } });

      await mkdir(join(home.path, ".config/orch"), { recursive: true });
      await written(".config/orch/notes-header", `Authorization: Bearer ${TOKEN}\n`);
      const second = text.replaceAll("record-deploy-web-1", "record-deploy-web-2");
      expect(await submitted(await written("second.json", second))).toMatchObject({ status: "ok" });
      expect(JSON.stringify(await said("evidence", "record-deploy-web-2"))).not.toContain(TOKEN);
    } finally {
      await orch.kill("SIGKILL");
    }
  });

  test("fails where the notes server says that it has written and has not [7.4] [1.A.5.verification]", async () => {
    notes.switches.lying_success = true;
    const task = await recorded("lied", "lied: deployed");
    expect(task).toMatchObject(failed(2));
    expect(content()).toBe("About: Ideas");
    const missing = expect.objectContaining({ criterion: "the note holds the record", passed: false });
    expect(await checksOf(task.task_id)).toContainEqual(missing);
  });

  test("fails where there is no such note [4.mcp.tool_error]", async () => {
    const target = { ...contract.target, note_id: "nowhere" };
    await engine.learn("record_to_notes", target, (await engine.call("get_sop", { sop_id })).sop.steps);
    const { task, writes } = await counting(() => recorded("lost", "lost: deployed", { target }));
    expect([task, writes]).toMatchObject([failed(1, "step_failed"), 1]);
    expect(task.outcome.message).toContain("Note not found");
    expect(content()).toBe("About: Ideas");
  });

  test("does not take a longer task_id in the note for its own", async () => {
    expect(await recorded("long-12", "long-12: deployed")).toMatchObject({ status: "ok" });
    notes.switches.lying_success = true;
    expect(await recorded("long-1", "long-1: deployed")).toMatchObject(failed(2));
  });

  test("finds a task_id that begins a line, and one that Markdown escapes", async () => {
    notes.switches.before_write = ({ args }) => {
      args.content = args.content.replaceAll("_", "\\_");
    };
    expect(await recorded("with_lines_1", "first\nwith_lines_1: deployed")).toMatchObject({ status: "ok" });
  });

  test("writes nothing for a record that does not name its task: one from before could pass for it", async () => {
    const { task, writes } = await counting(() => recorded("unnamed", "another: deployed"));
    expect([task, writes]).toMatchObject([failed(0), 0]);
  });

  test("is blocked without notes in implicit_scope, before anything is called [3.rule.5] [4.mcp.scope] [7.3]", async () => {
    const constraints = { ...contract.constraints, implicit_scope: [] };
    const { task, calls } = await counting(() => recorded("scoped", "scoped: deployed", { constraints }));
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope", step_index: 1 } });
    expect(calls).toBe(0);
  });

  test("never runs what is data, in the call or in the check", async () => {
    const file = join(engine.directory, "made-by-data");
    const text = `data '; touch ${file}; "$(touch ${file})" \`touch ${file}\` \${payload.note_id} \\n`;
    expect(await recorded("data", text)).toMatchObject({ status: "ok" });
    expect(content()).toContain(`"$(touch ${file})" <code>touch ${file}</code> \${payload.note_id}`);
    expect(existsSync(file)).toBe(false);
  });

  test("is the file that orch exports", async () => {
    const { file } = await engine.call("export_sop", { sop_id });
    expect(file).toBe(await shipped("record-to-notes.sop.yaml", notes.url));
  });
});
