// `orch doctor` on a flow engine: whether it answers as one, takes the token and, with --deep, runs the flow that this release ships.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refuses } from "../simulators/flow-engine/faults.ts";
import { startFlowEngine } from "../simulators/flow-engine/flow-engine.ts";
import { SCRIPT } from "../simulators/flow-engine/flow-job.ts";
import { type DoctorDirectory, doctorDirectory } from "../support/doctor-directory.ts";
import { html } from "../support/request-recorder.ts";

let directory: DoctorDirectory;
beforeEach(async () => {
  directory = await doctorDirectory();
});
afterEach(() => directory[Symbol.asyncDispose]());

describe("the flow engine", () => {
  const look = async (over: Record<string, string>) => {
    await using engine = await startFlowEngine({ scoped_tokens: new Map([["runs-only", ["run", "version"]]]) });
    const known = { FLOWENGINE_URL: engine.url, FLOWENGINE_TOKEN: engine.token, FLOWENGINE_WORKSPACE: "lab" };
    const check = await directory.checkOf("flow engine", { ...known, ...over });
    expect(engine.jobs, "nothing is run there").toEqual([]);
    return check;
  };

  test("works when it answers and accepts the token, and is off without an address", async () => {
    expect(await look({})).toMatchObject({ state: "works", found: expect.stringContaining("f/orch/") });
    expect(await look({ FLOWENGINE_TOKEN: "runs-only" })).toMatchObject({ state: "works" });
    expect(await directory.checkOf("flow engine", {})).toMatchObject({ state: "off" });
  });

  test("is broken when it refuses the token, or cannot be reached", async () => {
    const refused = await look({ FLOWENGINE_TOKEN: "another-token" });
    expect(refused).toMatchObject({ state: "broken", fix: expect.stringContaining("FLOWENGINE_TOKEN") });
    expect(await look({ FLOWENGINE_URL: `http://127.0.0.1:${directory.unused_port}` })).toMatchObject({
      state: "broken",
      found: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("is broken when a page in front of it answers, for the version or for the owner of the token", async () => {
    await using engine = await startFlowEngine();
    const known = { FLOWENGINE_URL: engine.url, FLOWENGINE_TOKEN: engine.token, FLOWENGINE_WORKSPACE: "lab" };
    for (const kind of ["version", "who"] as const) {
      const off = engine.fault(kind, refuses(html("<!doctype html><html>Sign in</html>")));
      expect(await directory.checkOf("flow engine", known)).toMatchObject({
        state: "broken",
        found: "the response is not one of a flow engine",
      });
      off();
    }
  });

  test("runs the flow with one harmless check when it is asked to, and compares the pushed script", async () => {
    await using engine = await startFlowEngine();
    const known = { FLOWENGINE_URL: engine.url, FLOWENGINE_TOKEN: engine.token, FLOWENGINE_WORKSPACE: "lab" };
    const flow = async (over = {}) => (await directory.examine({ ...known, ...over }, { deep: true })).get("flow");
    expect(await flow()).toMatchObject({
      state: "works",
      found: expect.stringMatching(
        /^ran f\/orch\/execute_task_steps with one check in .* its script is the one that this/,
      ),
    });
    expect(engine.jobs.map(({ args }) => args["steps"])).toEqual([[{ kind: "check", value: "true" }]]);
    expect(engine.jobs[0]?.ending).toMatchObject({ success: true, result: { ok: true } });
    expect(await flow({ FLOWENGINE_FLOW_PATH: "f/orch/another" })).toMatchObject({
      state: "broken",
      found: expect.stringContaining("flow_not_found"),
      fix: expect.stringContaining("wmill flow push"),
    });
    expect((await directory.examine(known)).get("flow"), "only on request").toBeUndefined();
  });

  test("is not given the flow to run where it does not work", async () => {
    await using engine = await startFlowEngine();
    const known = { FLOWENGINE_URL: engine.url, FLOWENGINE_TOKEN: engine.token, FLOWENGINE_WORKSPACE: "lab" };
    const off = engine.fault("any", refuses(html("<!doctype html><html>Sign in</html>")));
    const found = await directory.examine({ ...known }, { deep: true });
    off();
    expect(found.get("flow engine")).toMatchObject({ state: "broken" });
    expect(found.get("flow")).toMatchObject({ state: "off", found: "not run: the flow engine does not work" });
    expect(engine.jobs).toEqual([]);
  });

  test("names a pushed script that is of another release, and one that the token may not read", async () => {
    const older = join(directory.path, "older.ts");
    writeFileSync(older, `${await readFile(SCRIPT, "utf8")}// older\n`);
    const scoped_tokens = new Map([["runs-only", ["run", "version", "poll", "job", "logs"] as const]]);
    await using engine = await startFlowEngine({ script: older, scoped_tokens });
    const known = { FLOWENGINE_URL: engine.url, FLOWENGINE_WORKSPACE: "lab" };
    const flow = async (FLOWENGINE_TOKEN: string) =>
      (await directory.examine({ ...known, FLOWENGINE_TOKEN }, { deep: true })).get("flow");
    expect(await flow(engine.token)).toMatchObject({
      state: "falls_back",
      found: expect.stringContaining("is not the one that this release ships"),
    });
    expect(await flow("runs-only")).toMatchObject({ state: "works", found: expect.stringContaining("flows:read") });
  });

  test("would store a plain token, so doctor names the variable and suggests a reference", async () => {
    const notes = { MCP_NOTES_URL: "http://127.0.0.1:9/mcp", MCP_WIKI_URL: "http://op:password@127.0.0.1:9/mcp" };
    const told = await look({ ...notes, MCP_NOTES_TOKEN: "a-plain-token" });
    expect(told).toMatchObject({ state: "falls_back", fix: expect.stringContaining("$var:") });
    expect(told?.found).toMatch(/MCP_NOTES_TOKEN, MCP_WIKI_URL/);
    const { MCP_NOTES_URL } = notes;
    expect(await look({ MCP_NOTES_URL, MCP_NOTES_TOKEN: "$var:f/orch/notes_token" })).toMatchObject({ state: "works" });
  });
});
