import { mkdirSync } from "node:fs";
import { test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { obedient } from "./obedient-model.ts";
import { askedForApproval, openWorld } from "./world.ts";

const CMDS = (process.env["SMOKE"] ?? "").split("\n@@\n");
test("smoke", async () => {
  await using world = await openWorld(obedient, { env: { ORCH_CONCURRENCY: "4" } });
  const id = await askedForApproval(world);
  const t0 = Date.now();
  const fill = (c: string) => c.replaceAll("$VAULT", String(world.vault.port)).replaceAll("$URL", world.orch.url).replaceAll("$PORT", String(world.port)).replaceAll("$PID", String(world.orch.child.pid)).replaceAll("$ID", id).replaceAll("$HOMEDIR", world.home);
  const all = await Promise.all(CMDS.map(async (c, n) => {
    mkdirSync(`${world.home}/work/${n}`);
    const begin = [["shell", { command: fill(c) }]];
    const t = (await world.ask("/v1/tasks", { ...contractBody({ task_id: `s${n}`, delegation_mode: "agent", target: { service: `s${n}`, compose_dir: `${world.home}/work/${n}` }, constraints: { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 }, success_criteria: [], payload: { begin } }), wait_seconds: 30 })).body;
    const e = (await world.ask(`/v1/tasks/s${n}/evidence`)).body;
    return { c: fill(c), status: t.status, code: t.outcome?.reason_code, msg: t.outcome?.message, call: e.agent_calls?.[0] && { s: e.agent_calls[0].state, r: e.agent_calls[0].reason, f: e.agent_calls[0].findings?.map((f: any) => f.code + " " + f.verdict), out: e.agent_calls[0].result && { x: e.agent_calls[0].result.exit_code, o: e.agent_calls[0].result.stdout.slice(0, 600), e: e.agent_calls[0].result.stderr.slice(0, 600) } } };
  }));
  console.log(JSON.stringify(all, null, 1), Date.now() - t0, world.vault.connections(), world.strangers());
}, 120_000);
