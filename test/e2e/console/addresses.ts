// Every address of the console: what the router says, with ids that exist, and what a page shows by its query. A page that is added
// to the router is tested with the others; a new parameter, or another state of a page, is a line here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { contractBody } from "../../support/builders.ts";
import type { OrchProcess } from "../../support/orch-process.ts";

const ROUTER = join(import.meta.dirname, "../../../src/console/router.tsx");

/** Of pages whose address has more than a path, by the path. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "/tasks": ["?status=ok"],
  "/tasks/$task_id": ["?tab=graph", "?tab=agent", "?tab=journal"],
  "/sops/$sop_id": ["?tab=compare", "?tab=runs"],
  "/teach": ["?task_id=$untaught_id"],
  "/scorecard": ["?by=target&weeks=4"],
};

export type Ids = Readonly<Record<"task_id" | "sop_id" | "approval_id" | "untaught_id", string>>;

/** Of the router, without the login, which shows itself to who has no session. */
export function addressesOf(ids: Ids): string[] {
  const router = readFileSync(ROUTER, "utf8");
  const paths = [...router.matchAll(/\bpath: "(\/[^"]*)"/g)].flatMap(([, path]) => path ?? []);
  return paths
    .filter((path) => path !== "/login")
    .flatMap((path) => ["", ...(QUERIES[path] ?? [])].map((query) => filled(`${path}${query}`, ids)));
}

const filled = (address: string, ids: Ids): string =>
  address.replace(/\$(\w+)/g, (_, name: string) => {
    const [, id] = Object.entries(ids).find(([known]) => known === name) ?? [];
    if (id === undefined) throw new Error(`test/e2e/console/addresses.ts has no id for $${name} of ${address}`);
    return encodeURIComponent(id);
  });

const STEPS = [
  { kind: "cmd", value: "printf '<script>\\033[31m'" },
  { kind: "check", value: "test -d /" },
];

/** A service in use: a procedure with a task that ran it, one that waits to be taught, a promotion that waits, a schedule, a freeze. */
export async function inUse(orch: OrchProcess): Promise<Ids> {
  const post = async (path: string, body: object) => {
    const answer = await orch.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const taught = async (service: string) => {
    const target = { service };
    await post("/v1/tasks", {
      ...contractBody({ task_id: `${service}-1`, target, success_criteria: [] }),
      wait_seconds: 20,
    });
    await post("/v1/teach", { task_id: `${service}-1`, steps: STEPS, wait_seconds: 20 });
  };
  await Promise.all([taught("web"), taught("mail")]);
  const web = await pendingOf(orch, "service=web");
  await post("/v1/approve", { approval_id: web, decision: "approve", decided_by: "ada" });
  const task = contractBody({ task_id: "web-2", target: { service: "web" }, success_criteria: [] });
  const { sop_id } = await post("/v1/tasks", { ...task, wait_seconds: 20 });
  await post("/v1/tasks", { ...contractBody({ task_id: "dns-1", target: { service: "dns" } }), wait_seconds: 20 });
  const { task_id: _id, requested_at: _at, ...contract } = task;
  await post("/v1/schedules", { name: "web-nightly", cron: "0 3 * * *", contract });
  await post("/v1/freezes", { reason: "the disk is replaced", intent: "restart" });
  return { task_id: "web-2", sop_id, approval_id: await pendingOf(orch, "service=mail"), untaught_id: "dns-1" };
}

/** The promotion is asked for after the end of the task that was taught. */
async function pendingOf(orch: OrchProcess, target_signature: string): Promise<string> {
  for (let look = 0; look < 200; look += 1) {
    const { body } = await orch.get("/v1/approvals?status=pending");
    const found = body.approvals.find(
      ({ content }: { content: { target_signature: string } }) => content.target_signature === target_signature,
    );
    if (found !== undefined) return found.approval_id;
    await sleep(50);
  }
  throw new Error(`no promotion of ${target_signature} was asked for`);
}
