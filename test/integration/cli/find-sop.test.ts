// An SOP by its UUID, the beginning of it, or its version.
import { describe, expect, test } from "vitest";
import { UNTRIED } from "../../support/builders.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { littleServer } from "../../support/cli-server.ts";

const AT = "2026-03-06T09:00:00.000Z";
const sop = (sop_id: string, version: number, service: string) => ({
  sop_id,
  version,
  intent: "deploy",
  target_signature: `service=${service}`,
  target: { service },
  status: "active",
  steps: [{ kind: "check", value: "test -d /" }],
  criteria: [],
  safety_level: "standard",
  preconditions: [],
  steps_digest: "d",
  origin: "teach",
  last_success_at: null,
  success_count: 0,
  ...UNTRIED,
  failure_count: 0,
  created_at: AT,
  updated_at: AT,
});
const WEB2 = sop("5503fd40-284a-4e81-a28a-be5ae9eaa733", 2, "web");
const WEB1 = sop("5503aaaa-284a-4e81-a28a-be5ae9eaa733", 1, "web");
const DB1 = sop("20000000-284a-4e81-a28a-be5ae9eaa733", 1, "db");
const ALL = [WEB2, WEB1, DB1];
const ELSEWHERE = "99999999-284a-4e81-a28a-be5ae9eaa733";

/** One page for each SOP, as of a long list. */
async function orch(...args: string[]) {
  await using server = await littleServer(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://x");
    if (pathname === "/v1/sops") {
      const at = ALL.findIndex(({ sop_id }) => sop_id === searchParams.get("after")) + 1;
      return { body: { sops: ALL.slice(at, at + 1), next_after: at + 1 < ALL.length ? ALL[at]?.sop_id : null } };
    }
    const one = ALL.find(({ sop_id }) => pathname.includes(sop_id)) ?? WEB2;
    if (pathname.endsWith("/file")) return { body: { file: `intent: of ${one.sop_id}\n` } };
    const versions = ALL.filter((other) => other.target_signature === one.target_signature);
    const shown = versions.map(({ sop_id, version, status, level, created_at }) => ({
      sop_id,
      version,
      status,
      level,
      created_at,
    }));
    return { body: { sop: one, versions: shown, diff: searchParams.get("diff_to") } };
  });
  const said = await runInProcess(["sop", ...args], {
    environment: { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) },
  });
  return { ...said, asked: server.asked.map(({ path }) => path) };
}

describe("what is meant by", () => {
  test.each([
    ["a whole UUID", WEB1.sop_id, WEB1],
    ["one in capitals", WEB2.sop_id.toUpperCase(), WEB2],
    ["the beginning of one", "5503f", WEB2],
    ["the beginning of one, in capitals", "5503AAAA-284A", WEB1],
    ["a number that only one has as its version, though a UUID begins with it", "2", WEB2],
    ["digits that no version has", "20", DB1],
  ])("%s", async (_what, text, meant) => {
    for (const command of ["show", "export"]) {
      const { exit, stdout, stderr } = await orch(command, text);
      expect({ exit, stderr, stdout }).toEqual({ exit: 0, stderr: "", stdout: expect.stringContaining(meant.sop_id) });
    }
  });

  test("a whole UUID is not looked up first", async () => {
    expect((await orch("show", DB1.sop_id)).asked).toEqual([`/v1/sops/${DB1.sop_id}`]);
  });

  test.each(["1", "5503"])("%s, which may be two", async (text) => {
    const { exit, stdout, stderr } = await orch("show", text);
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
    expect(stderr).toContain(`${text} may be any of these:`);
    expect(stderr).toContain(`  ${WEB1.sop_id}  version 1`);
    expect(stderr).toContain("(sop_ambiguous)");
  });

  test.each(["nosuch", "3", "550fd40", "503fd40", ".*"])("%s: nothing", async (text) => {
    expect(await orch("show", text)).toMatchObject({
      exit: 5,
      stdout: "",
      stderr: `error: There is no SOP ${text}. (sop_not_found)\nSee: orch sops\n`,
    });
  });
});

describe("the other side of a comparison is", () => {
  const comparedWith = async (...args: string[]) => (await orch("diff", ...args, "--json")).stdout;

  test.each([
    ["a version of the same key", ["5503f", "1"], WEB1.sop_id],
    ["the beginning of a UUID of the key", ["2", "5503a"], WEB1.sop_id],
    ["the version before", ["2"], WEB1.sop_id],
    ["a whole UUID, of whatever key", ["2", ELSEWHERE], ELSEWHERE],
  ])("%s", async (_what, args, other) => {
    expect(JSON.parse(await comparedWith(...args)).diff).toBe(other);
  });

  test("never a version of another key", async () => {
    expect(await orch("diff", "2", "7")).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining("There is no SOP 7"),
    });
    expect(await orch("diff", "2", "20")).toMatchObject({ exit: 5, stderr: expect.stringContaining("no SOP 20") });
    expect(await orch("diff", "20")).toMatchObject({ exit: 2, stderr: expect.stringContaining("first version") });
  });
});
