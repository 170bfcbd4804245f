// record_to_notes as an SOP of the files that are shipped (capabilities/notes/examples): imported, promoted, run on a notes server.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { type NotesServerOptions, startNotesServer } from "../../simulators/notes/notes-server.ts";
import { cliOf } from "../../support/cli-process.ts";
import { openEngine } from "../../support/engine.ts";
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

/** A notes server, and orch with the shipped SOP, promoted and past its trial. */
async function openRecording(switches: NotesServerOptions["switches"] = {}) {
  const model = someIdeas();
  const notes = await startNotesServer("native", { model, switches });
  const engine = await openEngine({ env: { MCP_NOTES_URL: notes.url } });
  const { sop, approval_id } = await engine.call("import_sop", {
    file: await shipped("record-to-notes.sop.yaml", notes.url),
  });
  await engine.call("approve", { approval_id, decision: "approve" });
  const { sop_id } = sop;
  await expect.poll(async () => (await engine.call("get_sop", { sop_id })).sop.status, POLL).toBe("active");
  await engine.endTrial(sop_id);
  const contract = JSON.parse(await shipped("record-to-notes.contract.json", notes.url));
  return {
    notes,
    engine,
    contract,
    sop_id,
    content: () => model.note(NOTE)?.content,
    submit: (over: object = {}) => engine.call("submit_task", { ...contract, ...over, wait_seconds: 30 }),
    verdictOf: async ({ task_id }: { readonly task_id: string }) =>
      (await engine.call("get_evidence", { task_id })).verdict,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await notes[Symbol.asyncDispose]();
    },
  };
}

describe("the shipped SOP for record_to_notes", () => {
  test("appends the record once, reads it back from outside of the call, and keeps evidence [2.intent.record_to_notes] [2.kind.mcp_call] [1.A.8.data] [3.rule.3]", async () => {
    await using recording = await openRecording();
    const task = await recording.submit();
    expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "verified" }, sop_id: recording.sop_id });

    const { content } = recording.contract.payload;
    expect(recording.content()).toMatch(/^About: Ideas<h2>record-deploy-web-1<\/h2>\s*<ul>\s*<li>deployed <em>web/);
    expect(recording.notes.writes()).toEqual([{ tool: "append_to_note", args: { noteId: NOTE, content } }]);
    expect(recording.notes.calls().at(-1)).toEqual({ tool: "get_note_content", args: { noteId: NOTE } });

    const evidence = await recording.engine.call("get_evidence", { task_id: task.task_id });
    expect(evidence.verdict.checks).toMatchObject([
      { criterion: "the record names its task", passed: true },
      { criterion: "the note holds the record", passed: true },
    ]);
  });

  test("finds Markdown again that comes back in other characters than it went in", async () => {
    await using recording = await openRecording();
    const content = "# record-deploy-web-1\n\n* deployed: größer als zuvor\n* served\n";
    expect(await recording.submit({ payload: { content } })).toMatchObject({ status: "ok" });
    expect(recording.content()).not.toContain(content);
  });

  test("is found where the server answers with streams of events", async () => {
    await using recording = await openRecording({ sse: true });
    expect(await recording.submit()).toMatchObject({ status: "ok" });
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
    await using recording = await openRecording({ lying_success: true });
    const task = await recording.submit();
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 2 } });
    expect(recording.content()).toBe("About: Ideas");
    const { checks } = await recording.verdictOf(task);
    expect(checks).toContainEqual(expect.objectContaining({ criterion: "the note holds the record", passed: false }));
  });

  test("fails where there is no such note [4.mcp.tool_error]", async () => {
    await using recording = await openRecording();
    const { sop_id, notes, engine } = recording;
    const elsewhere = { ...recording.contract.target, note_id: "nowhere" };
    await engine.learn("record_to_notes", elsewhere, (await engine.call("get_sop", { sop_id })).sop.steps);
    const task = await recording.submit({ target: elsewhere });
    expect(notes.writes()).toHaveLength(1);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 1 } });
    expect(task.outcome.message).toContain("Note not found");
    expect(recording.content()).toBe("About: Ideas");
  });

  test("does not take a longer task_id in the note for its own", async () => {
    await using recording = await openRecording();
    const longer = { task_id: "record-deploy-web-12", payload: { content: "record-deploy-web-12: deployed" } };
    expect(await recording.submit(longer)).toMatchObject({ status: "ok" });
    recording.notes.switches.lying_success = true;
    expect(await recording.submit()).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed" } });
  });

  test("finds a task_id that begins a line, and one that Markdown escapes", async () => {
    await using recording = await openRecording();
    const { notes } = recording;
    const content = "first\nrecord_deploy_1: deployed";
    notes.switches.before_write = ({ args }) => {
      args.content = args.content.replaceAll("_", "\\_");
    };
    expect(await recording.submit({ task_id: "record_deploy_1", payload: { content } })).toMatchObject({
      status: "ok",
    });
  });

  test("writes nothing for a record that does not name its task: one from before could pass for it", async () => {
    await using recording = await openRecording();
    expect(await recording.submit()).toMatchObject({ status: "ok" });
    const again = await recording.submit({ task_id: "another-task" });
    expect(again).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 0 } });
    expect(recording.notes.writes()).toHaveLength(1);
  });

  test("is blocked without notes in implicit_scope, before anything is called [3.rule.5] [4.mcp.scope] [7.3]", async () => {
    await using recording = await openRecording();
    const constraints = { ...recording.contract.constraints, implicit_scope: [] };
    const task = await recording.submit({ constraints });
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope", step_index: 1 } });
    expect(recording.notes.calls()).toEqual([]);
  });

  test("never runs what is data, in the call or in the check", async () => {
    await using recording = await openRecording();
    const file = join(recording.engine.directory, "made-by-data");
    const content = `record-deploy-web-1 '; touch ${file}; "$(touch ${file})" \`touch ${file}\` \${payload.note_id} \\n`;
    expect(await recording.submit({ payload: { content } })).toMatchObject({ status: "ok" });
    expect(recording.content()).toContain(`"$(touch ${file})" <code>touch ${file}</code> \${payload.note_id}`);
    expect(existsSync(file)).toBe(false);
  });

  test("is the file that orch exports", async () => {
    await using recording = await openRecording();
    const { file } = await recording.engine.call("export_sop", { sop_id: recording.sop_id });
    expect(file).toBe(await shipped("record-to-notes.sop.yaml", recording.notes.url));
  });
});
