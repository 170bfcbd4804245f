// Targets with unusual text: no two of them share a procedure, each signature is distinct and can be decoded, and a
// command receives exactly the text that was sent.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { soundServer } from "./sound-server.ts";

const { orch, data_dir } = soundServer();

const TARGETS: readonly Record<string, string>[] = [
  { service: "a", repo: "b" },
  { service: "a;repo=b" },
  { service: "a", repo: "b;service=a" },
  { service: "a  b" },
  { service: "a b" },
  { service: "=" },
  { service: "a=b" },
  { service: "|" },
  { service: "deploy|a" },
  { service: ";" },
  { service: "%3B" },
  { service: "%" },
  { service: "line\nline" },
  { service: "line\\nline" },
  { service: "-\r\t\u0001\u007f\u0085\u2028-" },
  { service: "日本語のサービス" },
  { service: "é" },
  { service: "сервис" },
  { service: "service" },
  { service: "👩‍👩‍👧‍👦 🚀" },
  { service: "a\u202egnp.exe" },
  { service: "$(touch /tmp/x) `id` \"'\\ $HOME *" },
  { service: "x".repeat(1024) },
  { service: `${"x".repeat(1023)}y` },
];

const seen = (n: number): string => join(data_dir(), `seen-${n}`);

/** Each procedure writes the target that it receives to its own file. */
const stepsOf = (n: number) => [
  { kind: "cmd", value: `printf '%s' "$ORCH_TARGET_SERVICE" > "${seen(n)}"` },
  { kind: "check", value: "test -d /" },
];

type Stored = { readonly sop_id: string; readonly target_signature: string };
const stored: Stored[] = [];

beforeAll(async () => {
  for (const [n, target] of TARGETS.entries()) {
    const { body } = await orch().post("/v1/teach", { intent: "deploy", target, steps: stepsOf(n) });
    stored.push(body.sop);
    await orch().post("/v1/approve", { approval_id: body.approval_id, decision: "approve" });
  }
  const active = async () => (await orch().get("/v1/sops?status=active&limit=500")).body.sops.length;
  await vi.waitUntil(async () => (await active()) === TARGETS.length, { timeout: 10_000 });
});

const readBack = (signature: string): object =>
  Object.fromEntries(
    signature
      .split(";")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );

test("every target has its own signature, on one line, that can be decoded", () => {
  const signatures = stored.map(({ target_signature }) => target_signature);
  expect(new Set(signatures).size).toBe(TARGETS.length);
  expect(signatures.map(readBack)).toEqual(TARGETS);
  expect(signatures.filter((signature) => /[|\n\r]/.test(signature))).toEqual([]);
});

test("a query by signature finds the procedure of that target only", async () => {
  for (const { sop_id, target_signature } of stored) {
    const query = new URLSearchParams({ target_signature, status: "active" });
    const { sops } = (await orch().get(`/v1/sops?${query}`)).body;
    expect(sops.map((sop: Stored) => sop.sop_id)).toEqual([sop_id]);
  }
});

test("every target runs its own procedure, and the command receives the target as it was sent", async () => {
  for (const [n, target] of TARGETS.entries()) {
    const contract = contractBody({ task_id: `t-${n}`, target, delegation_mode: "known_only", wait_seconds: 30 });
    const { body: asked } = await orch().post("/v1/tasks", contract);
    expect(asked, "its first run is on trial").toMatchObject({ status: "need_approval" });
    const { body: decided } = await orch().post("/v1/approve", {
      task_id: contract.task_id,
      decision: "approve",
      wait_seconds: 30,
    });
    const { task: body } = decided;
    expect(body, JSON.stringify(target)).toMatchObject({ status: "ok", sop_id: stored[n]?.sop_id, target });
    expect(readFileSync(seen(n), "utf8")).toBe(target["service"]);
  }
});

test.each<[string, Record<string, string>]>([
  ["differs in letter case", { service: "A", repo: "b" }],
  ["has one attribute more", { service: "a", repo: "b", environment: "x" }],
  ["has one blank more inside", { service: "a   b" }],
])("a target that %s from every known one is unknown", async (title, target) => {
  const task_id = title.replaceAll(" ", "-");
  const { body } = await orch().post(
    "/v1/tasks",
    contractBody({ task_id, target, delegation_mode: "known_only", wait_seconds: 30 }),
  );
  expect(body).toMatchObject({ status: "blocked", outcome: { reason_code: "sop_not_found" } });
});
