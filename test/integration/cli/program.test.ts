// The command line as a whole: every command and operation, and the messages about invalid lines.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { COMMANDS } from "../../../src/cli/table/commands.ts";
import { readConfig } from "../../../src/config/config.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { deadUrl, littleServer, problem } from "../../support/cli-server.ts";

const SOP = "5503fd40-284a-4e81-a28a-be5ae9eaa733";
const environmentOf = (url: string) => ({ ORCH_URL: url, ORCH_TOKEN: "t".repeat(40) });

describe("the table of commands", () => {
  test.each(COMMANDS.map(({ name, run }) => [name, run] as const))(
    "%s can be loaded, and has its own help",
    async (name, run) => {
      expect(await run()).toBeTypeOf("function");
      const { exit, stdout } = await runInProcess([...name.split(" "), "--help"]);
      expect(exit).toBe(0);
      expect(stdout).toContain(`Usage: orch ${name}`);
    },
  );

  test("reaches every operation", async () => {
    await using server = await littleServer(() => problem(404, "task_not_found", "no"));
    const file = join(import.meta.dirname, "../../support/cli-lesson.yaml");
    const contract = join(import.meta.dirname, "../../support/cli-contract.yaml");
    const scheduled = join(import.meta.dirname, "../../support/cli-schedule.yaml");
    const lines = [
      `submit ${contract}`,
      "tasks",
      "task t",
      "task t --follow",
      "inbox",
      "freeze --reason power",
      "thaw --all",
      "freezes",
      "servers",
      "servers nas",
      "anchors",
      "drain nas",
      "doctor --server",
      "approvals",
      "approvals a-1",
      "approvals a-1 --look",
      "approve a-1",
      `teach ${file} --task t`,
      "sops",
      `sop show ${SOP}`,
      `sop export ${SOP}`,
      `sop copy ${SOP} --target service=db`,
      `prove ${SOP}`,
      `sop import ${file}`,
      "sop propose t",
      `explain ${contract} --steps ${file}`,
      "cancel t",
      "resolve t retry",
      ...["evidence t", "graph t"],
      "verify t --verified --source x",
      "messages",
      `sop rollback ${SOP}`,
      "scorecard",
      "scorecard --rebuild",
      `schedule add ${scheduled} --every 5m`,
      ...["list", "show s", "pause s", "resume s", "remove s"].map((words) => `schedule ${words}`),
    ];
    for (const line of lines) {
      const { exit, stderr } = await runInProcess(line.split(" "), { environment: environmentOf(server.url) });
      expect({ line, exit, stderr }).toMatchObject({ line, exit: 5 });
    }
    // The stream of a journal is read_journal, again and again.
    const asked = server.asked.map(({ method, path }) => `${method} ${path.replace(/(\/stream)?\?.*/, "")}`);
    const reached = SHAPES.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, "[^/]+")}$`);
      return asked.some((one) => pattern.test(one));
    });
    expect(reached.map(({ name }) => name)).toEqual(SHAPES.map(({ name }) => name));
  });
});

describe("an invalid command line", () => {
  test.each([
    ["tsks", /unknown command 'tsks'.*\n\(Did you mean task/],
    ["sop shw", /unknown command 'shw'.*Did you mean show/s],
    ["tasks --al", /unknown option '--al'.*Did you mean --all/s],
    ["task", /missing required argument 'id'/],
    ["tasks x", /too many arguments/],
    ["tasks --status dnoe", /Allowed choices are accepted.*\nSee: orch tasks --help/s],
    ["sop show --x", /See: orch sop show --help/],
    ["resolve t maybe", /Allowed choices are succeeded, failed, retry/],
    ["task --wait t-1", /'t-1' is invalid.*write --wait=30/],
    ["verify t", /either --verified or --not-verified/],
    ["verify t --verified", /--source/],
    ["policy check", /either a command/],
    ["policy check ls --target a", /--target a must be key=value/],
    ["policy check ls --target A=b", /--target A/],
    ["approve a-1 --by NAME", /--by NAME: put your own text in the place of NAME/],
    ["verify t --verified --source TEXT", /--source TEXT: put your own text/],
    ["run restart service=web --criterion TEXT", /--criterion TEXT: put your own text/],
    ["resolve t maybe", /^error: the value 'maybe' is invalid for argument 'resolution'/],
    ["run restart service=r1 service=r2", /service is given twice/],
    ["run Restart service=a", /intent must be an intent of the vocabulary, such as .*deploy, restart/],
    ["run restart =web", /=web must be key=value/],
    ["run restart service=r1 --payload a=1 --payload a=2", /--payload a is given twice/],
    ["run restart service=r1 --id .x", /task_id must be a letter or digit/],
    ["new contract bogus service=web", /bogus is not an intent of orch.*\n.*deploy, restart/],
    ["resolve t retry --step x", /step must be the number of a step/],
  ])("%s", async (line, message) => {
    const said = await runInProcess(line.split(" "), { environment: environmentOf(await deadUrl()) });
    expect(said).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(said.stderr).toMatch(/^error: /);
  });

  test("is reported as one JSON document with --json", async () => {
    const { exit, stdout, stderr } = await runInProcess(["tsks", "--json"]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      code: "usage",
      detail: expect.stringContaining("unknown command 'tsks'"),
      fix: "See: orch --help",
    });
  });

  test.each(["", " sop"])("that is '--json%s' gets a document and no help", async (group) => {
    const { exit, stdout, stderr } = await runInProcess(`--json${group}`.split(" "));
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ code: "usage", detail: expect.stringContaining(`orch${group} --help`) });
  });

  test("without arguments gets the help, and fails", async () => {
    const { exit, stderr } = await runInProcess([]);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("Commands:") });
  });
});

test("--version prints the version of the package", async () => {
  expect(await runInProcess(["--version"])).toEqual({ exit: 0, stdout: "1.2.3\n", stderr: "" });
});

test("global options may be before or after the command", async () => {
  await using server = await littleServer(() => ({ body: { tasks: [], next_after: null, quarantined: [] } }));
  const environment = { ORCH_TOKEN: "t".repeat(40) };
  for (const args of [
    ["--json", "--url", server.url, "tasks"],
    ["tasks", "--url", server.url, "--json"],
  ]) {
    const { exit, stdout } = await runInProcess(args, { environment });
    expect({ exit, answer: JSON.parse(stdout) }).toEqual({
      exit: 0,
      answer: { tasks: [], next_after: null, quarantined: [] },
    });
  }
});

test("with --json, stderr holds only errors", async () => {
  const tasks = { tasks: [], next_after: "t-1", quarantined: [] };
  await using server = await littleServer(() => ({ body: tasks }));
  const environment = environmentOf(server.url);
  expect((await runInProcess(["tasks"], { environment })).stderr).toBe("There are more: orch tasks --all\n");
  expect(await runInProcess(["tasks", "--json"], { environment })).toMatchObject({ exit: 0, stderr: "" });
  const named = await runInProcess(["tasks", "--url", server.url], { environment });
  expect(named.stderr, "reaches the same server").toBe(`There are more: orch --url ${server.url} tasks --all\n`);
});

test("a fault of the command line itself is reported with its stack", async () => {
  const { exit, stderr } = await runInProcess(["doctor"]);
  expect({ exit, stderr }).toEqual({ exit: 70, stderr: expect.stringMatching(/not in this test.*at /s) });
});

test("doctor shows what works, what does not and how to repair it, and fails when something is broken", async () => {
  const checks = [
    { name: "database", state: "works", found: "SQLite\u001b[2J", fix: null },
    { name: "model", state: "broken", found: "no answer", fix: "ollama serve\nollama pull x" },
  ] as const;
  const absent = () => Promise.reject(new Error("not in this test"));
  let examined: unknown;
  const doctor = (environment: unknown) => {
    examined = environment;
    return Promise.resolve(checks);
  };
  const others = {
    serve: absent,
    bridge: absent,
    embed: absent,
    skills: absent,
    backup: absent,
    restore: absent,
    migrate: absent,
    evalRouting: absent,
    evalAgent: absent,
  };
  const parts = { ...others, doctor };
  const said = await runInProcess(["doctor", "--url", "http://lab:1"], { parts });
  expect(examined).toEqual({ ORCH_URL: "http://lab:1" });
  expect(said.exit).toBe(1);
  expect(said.stdout).toBe(
    [
      "database  works       SQLite\\x1b[2J",
      "model     broken      no answer",
      "                      fix  ollama serve",
      "                      fix  ollama pull x",
      "",
    ].join("\n"),
  );
  expect(JSON.parse((await runInProcess(["doctor", "--json"], { parts })).stdout)).toEqual(checks);
  const well = { ...parts, doctor: () => Promise.resolve(checks.slice(0, 1)) };
  expect((await runInProcess(["doctor"], { parts: well })).exit).toBe(0);
});

test("serve blames the option that was given, and not its variable", async () => {
  const absent = () => Promise.reject(new Error("not in this test"));
  const serve = (environment: Readonly<Record<string, string | undefined>>) => {
    readConfig(environment);
    return absent();
  };
  const parts = {
    serve,
    doctor: absent,
    bridge: absent,
    embed: absent,
    skills: absent,
    backup: absent,
    restore: absent,
    migrate: absent,
    evalRouting: absent,
    evalAgent: absent,
  };
  const { exit, stderr } = await runInProcess(["serve", "--port", "99999"], { parts });
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("--port must") });
  expect(stderr).not.toContain("ORCH_PORT");
});
