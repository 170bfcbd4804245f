// The public referee of MCP against the real server, in each revision.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startTokenProxy } from "../support/mcp-proxy.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { BASELINES } from "./mcp-server-baseline.ts";

const require = createRequire(import.meta.url);
const REFEREE = require.resolve("@modelcontextprotocol/conformance/dist/index.js");

const Checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));
type Check = z.infer<typeof Checks>[number];

/** What it prints; its exit code only says whether anything failed. */
const referee = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [REFEREE, ...args], { maxBuffer: 16 * 1024 * 1024 }, (_error, stdout) =>
      resolve(stdout),
    );
  });

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let proxy: Awaited<ReturnType<typeof startTokenProxy>>;
let orch: OrchProcess;
beforeAll(async () => {
  directory = await temporaryDirectory();
  proxy = await startTokenProxy(TOKEN);
  // The referee speaks as a page of the address that it is given.
  const env = { ORCH_ALLOWED_ORIGINS: proxy.url };
  orch = await startOrchProcess({ data_dir: directory.path, env });
  proxy.forwardTo(orch.url);
});
afterAll(async () => {
  proxy.stop();
  await orch.kill("SIGTERM");
  await directory[Symbol.asyncDispose]();
});

const isOfTheWire = ({ id }: Check): boolean => id === "wire-schema-valid";

describe.each(BASELINES)("the server in the revision $revision", (baseline) => {
  const { revision, selection, passing, not_applicable, partly, failing } = baseline;
  let known: string[];
  let verdicts: Map<string, Check[]>;
  beforeAll(async () => {
    const results = join(directory.path, revision);
    const listed = (await referee("list", "--server", ...selection)).replace(/^Client scenarios.*/ms, "");
    known = [...listed.matchAll(/^ *- ([\w-]+)(?: \[|$)/gm)].map(([, name = ""]) => name);
    await referee("server", "--url", `${proxy.url}/mcp`, ...baseline.run, ...selection, "-o", results);
    verdicts = new Map(
      readdirSync(results).map((folder) => [
        folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
        Checks.parse(JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8"))),
      ]),
    );
  });

  /** Of checks that have a result; the others only tell what went on. */
  const checksOf = (scenario: string): Check[] =>
    (verdicts.get(scenario) ?? []).filter(({ status }) => status === "SUCCESS" || status === "FAILURE");
  const resultsOf = (scenario: string): Check[] => checksOf(scenario).filter((check) => !isOfTheWire(check));
  const failuresOf = (scenario: string): Check[] => resultsOf(scenario).filter(({ status }) => status === "FAILURE");

  test("runs every scenario, and each has its place in the baseline", () => {
    expect(known.length).toBeGreaterThan(30);
    const placed = [...passing, ...not_applicable.keys(), ...partly.keys(), ...failing.keys()].toSorted();
    expect([...verdicts.keys()].toSorted()).toEqual(placed);
    expect(placed).toEqual(expect.arrayContaining(known));
  });

  test.each(passing)("passes %s", (scenario) => {
    expect(failuresOf(scenario)).toEqual([]);
    expect(resultsOf(scenario).length).toBeGreaterThan(0);
  });

  test.each([...not_applicable])("has nothing to be checked by %s, which %s", (scenario) => {
    expect(resultsOf(scenario)).toEqual([]);
  });

  test.each([...partly])("fails nothing else in %s than $checks", (scenario, { checks }) => {
    expect(
      failuresOf(scenario)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(checks);
  });

  test.each([...failing])("still fails %s, which %s", (scenario) => {
    expect(failuresOf(scenario), "it passes now: move it to passing").not.toEqual([]);
  });

  test("sends no message that the schema of the revision does not allow", () => {
    const seen = [...verdicts.keys()].flatMap(checksOf).filter(isOfTheWire);
    expect(seen.length).toBeGreaterThan(20);
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(["SUCCESS"]));
  });
});
