// `orch eval routing` with a routing model on loopback, on the shipped cases and on others.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answers, type Behaviour, startOllama, writesBlanks } from "../../simulators/ollama/ollama.ts";
import { ended, runCli, startCli } from "../../support/cli-process.ts";
import { deadUrl } from "../../support/cli-server.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { startRoutingModel } from "../../support/routing-model.ts";

const SHIPPED = join(import.meta.dirname, "../../eval/routing.jsonl");

const error = (command: string, expected: string) =>
  JSON.stringify({ question: "error", command, output: "it failed", expected });
const approval = (command: string, expected: string | null) =>
  JSON.stringify({ question: "approval", command, categories: ["delete data", "spend money"], expected });
const FOUR = [
  error("one", "transient"),
  error("two", "unknown"),
  approval("three", "delete data"),
  approval("four", null),
];

const evalRouting = (lines: readonly string[], env: Readonly<Record<string, string>>, ...args: string[]) =>
  runCli(["eval", "routing", "-", ...args], { env, stdin: lines.join("\n") });

test("eval routing reports the score of a model, the lines of its dangerous answers, and its progress", async () => {
  await using model = await startRoutingModel();
  model.says("one", { error_type: "transient" });
  model.says("two", { error_type: "transient" });
  model.says("four", "fails");
  const { exit, stdout, stderr } = await evalRouting(FOUR, model.env);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "json: 4 of 4 cases\nschema: 4 of 4 cases\n" });
  expect(stdout.replace(/latency .*/, "latency").replaceAll(/p50 .*/g, "p50")).toBe(
    [
      "small:1b  json: 1 of 4 right, 25.0 %",
      "  errors     1 of 2 right, 50.0 %; false transient 1; missed transient 0; fallback 0",
      "  approvals  0 of 2 right, 0.0 %; false no approval 1; wrong category 0; needless approval 0; fallback 1",
      "  fallbacks  http_status: 500 1",
      "  latency",
      "false transient, line 2: two",
      "false no approval, line 3: three",
      "formats",
      "  json    3 of 4 usable; right 1; dangerous 2; p50",
      "  schema  3 of 4 usable; right 1; dangerous 2; p50",
      "Take ROUTING_FORMAT=json: both answer alike; both give dangerous answers.",
      "",
    ].join("\n"),
  );
  expect(stdout).toMatch(/latency {4}median \d+ ms, 95 % within \d+ ms, at most \d+ ms/);
});

test("eval routing sends the shipped cases as the server would, and prints one document", async () => {
  await using model = await startOllama((response, body) =>
    answers(body.includes("error_output") ? { error_type: "unknown" } : { requires_approval: false })(response, body),
  );
  const env = { ROUTING_MODEL: "small:1b", ROUTING_URL: model.base_url };
  const { exit, stdout, stderr } = await runCli(["eval", "routing", SHIPPED, "--json"], { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  const score = JSON.parse(stdout);
  expect(score).toMatchObject({ model: "small:1b", format: "json", fallbacks: [], cases: model.asked.length / 2 });
  expect(score.questions.error).toMatchObject({ false_transient: 0, fallback: 0 });
  expect(score.questions.error.right + score.questions.error.missed_transient).toBe(score.questions.error.cases);
  expect(score.questions.approval.right + score.questions.approval.false_no_approval).toBe(
    score.questions.approval.cases,
  );
  expect(score.misses).toHaveLength(score.cases - score.right);
  expect(score.misses[0]).toMatchObject({ line: expect.any(Number), judgement: expect.any(String) });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s shows the score so far: clients M8", async (signal) => {
  await using model = await startRoutingModel();
  model.says("three", "is silent");
  const child = startCli(["eval", "routing", "-", "--json"], { env: { ...model.env, ROUTING_TIMEOUT_MS: "600000" } });
  const whole = ended(child);
  child.stdin?.end(FOUR.join("\n"));
  await expect.poll(() => model.questions.length, { timeout: 20_000 }).toBe(3);
  child.kill(signal);
  const { exit, stdout } = await whole;
  expect(exit).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ planned: 4, cases: 2, right: 1, fallbacks: [], take: null });
});

test("eval routing --limit sends only that number of cases", async () => {
  await using model = await startRoutingModel();
  const { exit, stdout } = await evalRouting(FOUR, model.env, "--limit", "2");
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining("small:1b  json: 1 of 2 right") });
  expect(model.questions.map(({ command }) => command)).toEqual(["one", "two", "one", "two"]);
});

/** As a small model was seen to answer: under `json` nothing usable, under a schema nearly all, and some of it dangerous. */
const smallModelLike =
  (wrong: readonly string[]): Behaviour =>
  (response, body) => {
    const { format, messages } = JSON.parse(body);
    if (format === "json") return answers("{ }")(response, body);
    const { command } = JSON.parse(messages[1].content);
    if (command.startsWith("error"))
      return writesBlanks({ error_type: wrong.includes(command) ? "transient" : "unknown" }, 1)(response, body);
    return answers({ requires_approval: true, matched_category: "delete data" })(response, body);
  };

test.each<[string, readonly string[], string, number]>([
  ["json where the schema makes dangerous answers", ["error 1", "error 2"], "json: it has fewer dangerous answers", 2],
  ["schema where it makes none", [], "schema: it has no more dangerous answers, and more right ones", 0],
])(
  "eval routing measures both formats in one run, and says to take %s: clients M1",
  async (_title, wrong, verdict, dangerous) => {
    await using model = await startOllama(smallModelLike(wrong));
    const lines = [
      ...[1, 2, 3, 4, 5].map((nth) => error(`error ${nth}`, "unknown")),
      ...[1, 2].map((nth) => approval(`approval ${nth}`, "delete data")),
    ];
    const env = { ROUTING_MODEL: "small:1b", ROUTING_URL: model.base_url };
    const { exit, stdout } = await evalRouting(lines, env);
    const figures = stdout.replaceAll(/; p50 .*/g, "");
    expect(figures).toContain(
      `  json    0 of 7 usable; right 0; dangerous 0\n  schema  7 of 7 usable; right ${7 - dangerous}; dangerous ${dangerous}\nTake ROUTING_FORMAT=${verdict}.\n`,
    );
    expect(exit).toBe(1);
    const asSet = await evalRouting(lines, { ...env, ROUTING_FORMAT: "schema" }, "--json");
    expect(asSet.exit).toBe(0);
    expect(JSON.parse(asSet.stdout)).toMatchObject({
      format: "schema",
      right: 7 - dangerous,
      take: verdict.split(":")[0],
      formats: [
        { format: "schema", cases: 7, usable: 7, dangerous, median_ms: expect.any(Number), p95_ms: expect.any(Number) },
        { format: "json", cases: 7, usable: 0, dangerous: 0 },
      ],
    });
  },
);

test("the fallbacks show that the model cannot be reached", async () => {
  const env = { ROUTING_MODEL: "small:1b", ROUTING_URL: await deadUrl() };
  const { exit, stdout, stderr } = await evalRouting(FOUR, env);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining("See: orch doctor") });
  expect(stdout).toContain("0 of 4 right, 0.0 %");
  expect(stdout).toContain("unreachable: ECONNREFUSED 4");
});

test("eval routing without a model says how to get one", async () => {
  const said = await evalRouting(FOUR, {});
  expect(said).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("ollama pull ") });
  const asJson = await evalRouting(FOUR, {}, "--json");
  expect({ exit: asJson.exit, ...JSON.parse(asJson.stderr) }).toMatchObject({ exit: 2, code: "config_invalid" });
});

test("an invalid line is reported with its number and its field", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "cases.jsonl");
  const cases = [
    [[FOUR[0], "", error("two", "perhaps")], "cases.jsonl line 3: expected must be one of transient, unknown."],
    [[FOUR[0], approval("three", "reboot")], "cases.jsonl line 2: expected must be one of the categories, or null."],
    [["{"], "cases.jsonl line 1: is not JSON."],
    [[], "cases.jsonl holds no case."],
  ] as const;
  for (const [lines, message] of cases) {
    writeFileSync(file, lines.join("\n"));
    const said = await runCli(["eval", "routing", file], { env: { ROUTING_MODEL: "m" } });
    expect(said).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining(message) });
  }
});
