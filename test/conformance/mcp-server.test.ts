// The public referee of MCP against the real server.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startTokenProxy } from "../support/mcp-proxy.ts";
import { startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { FAILING, NOT_APPLICABLE, PASSING, REVISION } from "./mcp-server-baseline.ts";

const require = createRequire(import.meta.url);
const REFEREE = require.resolve("@modelcontextprotocol/conformance/dist/index.js");

const Checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));
type Check = z.infer<typeof Checks>[number];

/** What it prints; its exit code only says whether anything failed. */
const referee = (...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [REFEREE, ...args], { maxBuffer: 16 * 1024 * 1024 }, (_error, stdout) =>
      resolve(stdout),
    );
  });

let known: string[];
let verdicts: Map<string, Check[]>;
beforeAll(async () => {
  await using directory = await temporaryDirectory();
  const proxy = await startTokenProxy(TOKEN);
  // The referee speaks as a page of the address that it is given.
  const env = { ORCH_ALLOWED_ORIGINS: proxy.url };
  const orch = await startOrchProcess({ data_dir: directory.path, env });
  proxy.forwardTo(orch.url);
  const results = join(directory.path, "results");
  const listed = await referee("list", "--server", "--spec-version", REVISION);
  known = [...listed.matchAll(/^ *- ([\w-]+) \[/gm)].map(([, name = ""]) => name);
  await referee("server", "--url", `${proxy.url}/mcp`, "--suite", "all", "--spec-version", REVISION, "-o", results);
  verdicts = new Map(
    readdirSync(results).map((folder) => [
      folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
      Checks.parse(JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8"))),
    ]),
  );
  proxy.stop();
  await orch.kill("SIGTERM");
});

/** Of checks that have a result; the others only tell what went on. */
const resultsOf = (scenario: string) =>
  (verdicts.get(scenario) ?? []).flatMap(({ id, status, errorMessage = "" }) =>
    status === "SUCCESS" || status === "FAILURE" ? [`${id}: ${status} ${errorMessage}`.trim()] : [],
  );
const failuresOf = (scenario: string) => resultsOf(scenario).filter((result) => result.includes(": FAILURE"));

test("every scenario of the revision is run and has its place in the baseline", () => {
  expect(known.length).toBeGreaterThan(30);
  expect([...verdicts.keys()].toSorted()).toEqual(known.toSorted());
  expect([...PASSING, ...NOT_APPLICABLE.keys(), ...FAILING.keys()].toSorted()).toEqual(known.toSorted());
});

describe("the server", () => {
  test.each(PASSING)("passes %s", (scenario) => {
    expect(failuresOf(scenario)).toEqual([]);
    expect(resultsOf(scenario).length).toBeGreaterThan(0);
  });

  test.each([...NOT_APPLICABLE])("has nothing to be checked by %s, which %s", (scenario) => {
    expect(resultsOf(scenario)).toEqual([]);
  });

  test.each([...FAILING])("still fails %s, which %s", (scenario) => {
    expect(failuresOf(scenario), "it passes now: move it to PASSING").not.toEqual([]);
  });

  test("sends no message that the schema of the revision does not allow", () => {
    const seen = [...verdicts.keys()].flatMap(resultsOf).filter((result) => result.startsWith("wire-schema-valid"));
    expect(seen.length).toBeGreaterThan(20);
    expect(new Set(seen)).toEqual(new Set(["wire-schema-valid: SUCCESS"]));
  });
});
