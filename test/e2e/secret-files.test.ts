// The secrets of a server are files, as in a container or under systemd: no step reads one of them, and a server whose steps could read
// the approver token does not start (promises 2.6).
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canSandbox } from "../../src/execution/test/integration/local/a-command.ts";
import { check, cmd, contractBody } from "../support/builders.ts";
import { type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";

const APPROVER = "approver-7c1f-for-tests-that-is-long-enough-0123456789";
const METRICS = "metrics-5a2e-for-tests-that-is-long-enough-0123456789";
const TOOL = "tool-9b3d-for-tests-that-is-long-enough-0123456789";
const WEBHOOK = "whsec_V2ViaG9va1NlY3JldFdlYmhvb2tTZWNyZXQh";
const MARKS = ["approver-7c1f", "metrics-5a2e", "tool-9b3d", "V2ViaG9va1", "a-token-for-tests"];
const isRoot = process.getuid?.() === 0;
const NOBODY = "65534";
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--inh-caps=-all"];
/** As in a container: root by name, without the right to make a namespace. */
const WITHOUT_NAMESPACES = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];

function furnish(base: string): Readonly<Record<string, string>> {
  const at = (name: string) => join(base, name);
  for (const name of ["secrets", "credentials", "volume/..2026_11_28", "elsewhere"])
    mkdirSync(at(name), { recursive: true });
  const put = (name: string, text: string) => writeFileSync(at(name), `${text}\n`, { mode: 0o600 });
  put("secrets/token", TOKEN);
  put("credentials/ORCH_METRICS_TOKEN", METRICS);
  put("credentials/another", "another-metrics-5a2e");
  // As Kubernetes mounts a secret.
  put("volume/..2026_11_28/approver", APPROVER);
  symlinkSync("..2026_11_28", at("volume/..data"));
  symlinkSync("..data/approver", at("volume/approver"));
  put("elsewhere/tool", TOOL);
  symlinkSync(at("elsewhere/tool"), at("tool-link"));
  put("hook", WEBHOOK);
  return {
    ORCH_TOKEN: "",
    ORCH_TOKEN_FILE: at("secrets/token"),
    ORCH_APPROVER_TOKEN_FILE: at("volume/approver"),
    CREDENTIALS_DIRECTORY: at("credentials"),
    MCP_NOTES_URL: "http://127.0.0.1:9/mcp",
    MCP_NOTES_TOKEN_FILE: at("tool-link"),
    MCP_NOTES_PEER: "any",
    ORCH_WEBHOOK_URL: "http://127.0.0.1:9/hook",
    ORCH_WEBHOOK_SECRET_FILE: at("hook"),
    SOP_PROMOTION: "ask",
  };
}

const READS = [
  ["the approver token by its name", "cat $B/volume/approver"],
  ["the approver token by its real path", "cat $B/volume/..2026_11_28/approver $B/volume/..data/approver"],
  ["a version of the volume that was mounted after the start", "cat $B/volume/..2027/approver $B/volume/*/approver"],
  ["the callers' token", "cat $B/secrets/token"],
  ["a credential that no setting names", "cat $B/credentials/* $B/credentials/another"],
  ["the token of a tool server through a link", "cat $B/tool-link $B/elsewhere/tool"],
  ["the key of the webhook after it was replaced", "cat $B/hook"],
  ["everything below the directory", "grep -rs . $B --exclude-dir=state --exclude-dir=loot; ls -A $B/volume"],
  [
    "through the root of every process",
    'for p in /proc/[0-9]*; do cat "$p/root$B/volume/approver" "$p/root$B/hook"; done',
  ],
  ["the environment of every process", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"],
  ["the open files of every process", "for p in /proc/[0-9]*/fd/*; do timeout 1 head -c 100 $p; done < /dev/null"],
  ["a copy", "cp -rL $B/volume $B/loot; cat $B/loot/*"],
  ["a directory that an earlier step has moved", "cat $B/moved/token"],
  ["a hard link", "ln $B/hook $B/hard; ln $B/elsewhere/tool $B/hard2; cat $B/hard $B/hard2"],
] as const;

const ACCOUNTS = [
  { name: isRoot ? "root" : "this account", through: [] as string[], skip: isRoot && !canSandbox },
  { name: "an ordinary account", through: AS_NOBODY, skip: !isRoot },
];

describe.each(ACCOUNTS)("from a step of $name", ({ through, skip }) => {
  describe.skipIf(skip)("with secrets in files", () => {
    let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
    let orch: OrchProcess;
    let results: { stdout: string; stderr: string }[] = [];

    beforeAll(async () => {
      directory = await temporaryDirectory();
      const env = furnish(directory.path);
      if (through.length > 0) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, directory.path]);
      orch = await startOrchProcess({ data_dir: directory.path, env, through });
      const later = join(directory.path, "volume/..2027");
      mkdirSync(later);
      writeFileSync(join(later, "approver"), `${APPROVER}-2\n`, { mode: 0o644 });
      writeFileSync(join(directory.path, "hook-2"), `${WEBHOOK}2\n`, { mode: 0o644 });
      renameSync(join(directory.path, "hook-2"), join(directory.path, "hook"));
      const move = cmd(`mv ${directory.path}/secrets ${directory.path}/moved`);
      const reads = READS.map(([, script]) => cmd(`B=${directory.path}; { ${script}; } 2>&1 | rev || true`));
      const contract = contractBody({ task_id: "t-1", target: { compose_dir: directory.path } });
      await orch.post("/v1/tasks", { ...contract, wait_seconds: 30 });
      const taught = await orch.post("/v1/teach", {
        task_id: "t-1",
        steps: [move, ...reads, check("test -d /")],
        wait_seconds: 50,
      });
      if (taught.body.task?.status === "need_approval") await approve(orch, "t-1");
      await settled(orch, "t-1");
      results = (await orch.get("/v1/tasks/t-1/evidence")).body.step_results.slice(1);
    }, 120_000);
    afterAll(async () => {
      await orch?.kill("SIGTERM");
      await directory?.[Symbol.asyncDispose]();
    });

    test.each(READS.map(([title], at) => [title, at] as const))("%s is not read", (_, at) => {
      // Redaction sees no secret that is written backwards.
      const printed = [...(results[at]?.stdout ?? "")].reverse().join("");
      expect(results[at], JSON.stringify(results)).toBeDefined();
      for (const mark of MARKS) expect(printed).not.toContain(mark);
      expect(printed).not.toContain("[redacted");
    });
  });
});

async function approve({ url }: OrchProcess, task_id: string): Promise<void> {
  await fetch(`${url}/v1/approve`, {
    method: "POST",
    headers: { authorization: `Bearer ${APPROVER}`, "content-type": "application/json" },
    body: JSON.stringify({ task_id, decision: "approve" }),
  });
}

async function settled(orch: OrchProcess, task_id: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { body } = await orch.get(`/v1/tasks/${task_id}`);
    if (!["queued", "running", "need_approval"].includes(body.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe("a server whose steps could read the approver token", () => {
  const starting = async (env: Readonly<Record<string, string>>, through: readonly string[] = []) => {
    await using directory = await temporaryDirectory();
    const orch = await startOrchProcess({
      data_dir: directory.path,
      env: { ...furnish(directory.path), ...env },
      through,
    }).catch((error: Error) => error.message);
    if (typeof orch === "string") return orch;
    await orch.kill("SIGTERM");
    return orch.output();
  };

  test.each([
    ["ORCH_SANDBOX is off", { ORCH_SANDBOX: "off" }],
    [
      "ORCH_SANDBOX is off, and the token is a variable",
      { ORCH_SANDBOX: "off", ORCH_APPROVER_TOKEN_FILE: "", ORCH_APPROVER_TOKEN: APPROVER },
    ],
  ] as const)("does not start where %s", async (_, env) => {
    const said = await starting(env);
    expect(said).toContain("orch ended with 1 before it listened");
    expect(said).toMatch(/A step could read ORCH_APPROVER_TOKEN .*ORCH_ACCEPT_READABLE_TOKENS=on/);
  });

  test("starts where there is no approver token, and warns", async () => {
    const said = await starting({ ORCH_SANDBOX: "off", ORCH_APPROVER_TOKEN_FILE: "" });
    expect(said).toContain("orch listens on");
    expect(said).toMatch(/"level":40.*steps can read the tokens, the files with secrets/);
  });

  test.skipIf(!isRoot)("does not start where no namespace can be made", async () => {
    expect(await starting({}, WITHOUT_NAMESPACES)).toMatch(/A step could read ORCH_APPROVER_TOKEN .*not permitted/);
  });

  test("starts where that is accepted, and says it", async () => {
    const said = await starting({ ORCH_SANDBOX: "off", ORCH_ACCEPT_READABLE_TOKENS: "on" });
    expect(said).toContain("orch listens on");
    expect(said).toMatch(/"level":40.*steps can read the tokens, the files with secrets/);
  });
});
