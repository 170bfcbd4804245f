// Keeps servers that act and then lose their answers: over HTTP, over ssh, as a tool server, as one from npm that is restarted again and
// again, and as a database in front of which the answer to a COMMIT is cut off. Each writes down its own effects, one line or row with the name of the task.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { LOSING_ANSWERS } from "../support/losing-tool.ts";
import { hasSshd, type LosingWay, startLosingServer, startSshd } from "../support/lost-answers.ts";
import { startMemory } from "../support/npm-tool-servers.ts";
import { linesOf } from "../support/orch-process.ts";
import { postgres } from "../support/postgres.ts";
import { postgresqlProxy } from "../support/postgresql-proxy.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../support/tool-server.ts";
import type { Procedure, Step } from "./plan.ts";
import { processesOf } from "./processes.ts";
import type { Random } from "./random.ts";
import type { Acted } from "./supervisor.ts";

const WAYS: readonly [LosingWay, ...LosingWay[]] = ["resets", "closes", "cuts", "500", "502", "503", "504", "200"];
const TOOL = { name: "act", inputSchema: { type: "object" }, annotations: { readOnlyHint: false } };
/** After so long, a request that was sent has arrived. */
const SETTLED_MS = 1_000;
const TASK = "$ORCH_TASK_ID";

/** One kind of server. The name of a task begins with its kind. */
type Kind = {
  readonly kind: string;
  /** The step that acts, and the check. */
  readonly procedure: Procedure;
  readonly lost: () => number;
  readonly stop: () => Promise<void>;
};
type Given = { readonly random: Random; readonly file: string; readonly act: (task_id: string) => void };

export type Losing = AsyncDisposable & {
  /** For the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly kinds: readonly Kind[];
  readonly skipped: readonly string[];
  readonly acted: Acted;
  readonly effects: () => Promise<readonly string[]>;
};

export async function createLosing(data_dir: string, random: Random): Promise<Losing> {
  const file = join(data_dir, "effects");
  writeFileSync(file, "");
  const given = { random, file, act: (task_id: string) => appendFileSync(file, `${task_id}\n`) };
  const tool = await losingTool(given);
  const npm = await losingMemory(given);
  const ssh = hasSshd ? await losingSsh(given) : null;
  const database = await losingDatabase(given);
  const kinds = [
    await losingHttp(given),
    tool,
    npm,
    ...(ssh === null ? [] : [ssh]),
    ...(database === null ? [] : [database]),
  ];
  const effects = async () => [...linesOf(file), ...((await database?.rows()) ?? [])];
  return {
    env: { MCP_LOSING_URL: tool.url, MCP_MEMORY_URL: npm.url },
    kinds,
    skipped: [
      ...(ssh === null ? ["There is no sshd here, or this is not root: no answer of ssh was lost."] : []),
      ...(database === null ? ["PostgreSQL is not installed here: no answer to a COMMIT of a step was lost."] : []),
    ],
    effects,
    acted: async (task_id, index) => {
      if (index > 0) return "no";
      do await sleep(SETTLED_MS);
      while (processesOf(`${task_id}.`).length > 0);
      return (await effects()).includes(task_id) ? "done" : "no";
    },
    [Symbol.asyncDispose]: async () => {
      for (const { stop } of kinds) await stop();
    },
  };
}

/** Half of them with a command that finds out whether it has acted. */
const acting =
  (random: Random, step: () => Step, hasActed: string): Procedure =>
  () => [
    { ...step(), ...(random.chance(0.5) && { reconcile: hasActed }) },
    { kind: "check", value: hasActed },
  ];

const isIn = (file: string): string => `grep -qx "${TASK}" ${file}`;

async function losingHttp({ random, file, act }: Given): Promise<Kind> {
  let lost = 0;
  const server = await startLosingServer((task_id, way) => {
    act(task_id);
    if (way !== "200") lost += 1;
  });
  const step = () => ({ kind: "cmd", value: `curl -fsS -X POST ${server.url(random.pick(WAYS), TASK)}` });
  return {
    kind: "http",
    procedure: acting(random, step, isIn(file)),
    lost: () => lost,
    stop: () => server[Symbol.asyncDispose](),
  };
}

async function losingTool({ random, file, act }: Given): Promise<Kind & { readonly url: string }> {
  let lost = 0;
  const [first, ...others] = Object.values(LOSING_ANSWERS);
  if (first === undefined) throw new Error("there is no answer");
  const server = await startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.method === "tools/list") return sendJson(response, rpcResult(body.id, { tools: [TOOL] }));
      if (body.method !== "tools/call") return sendJson(response, rpcResult(body.id, {}));
      act(String(body.params.arguments.mark).split(".")[0] ?? "");
      if (random.chance(0.1)) return sendJson(response, rpcResult(body.id, { content: [] }));
      lost += 1;
      return random.pick([first, ...others])(body.id, response);
    }),
  );
  // biome-ignore lint/suspicious/noTemplateCurlyInString: orch puts the value in
  const step = () => ({ kind: "mcp_call", server: "losing", tool: "act", arguments: { mark: "${payload.mark}" } });
  return {
    kind: "tool",
    url: server.url,
    procedure: acting(random, step, isIn(file)),
    lost: () => lost,
    stop: () => server[Symbol.asyncDispose](),
  };
}

/** The memory server from npm: each call that it gets counts, also one in the middle of which it is restarted. */
async function losingMemory({ random, file, act }: Given): Promise<Kind & { readonly url: string }> {
  const directory = mkdtempSync(join(tmpdir(), "orch-chaos-memory-"));
  let lost = 0;
  let calls = 0;
  const server = await startMemory(directory, ({ name, arguments: given }) => {
    calls += 1;
    if (name !== "create_entities") return "passes";
    act(/"name":"([^".]*)/.exec(JSON.stringify(given))?.[1] ?? "");
    const fate = random.pick(["passes", "is_late", "is_lost", "is_lost"] as const);
    if (fate === "is_lost") lost += 1;
    return fate;
  });
  let isOver = false;
  // A server that gets no call before it is restarted again is one that is down, and a call of it may fail.
  const restart = async () => {
    for (let before = -1; !isOver; await sleep(random.between(2_000, 6_000))) {
      if (calls === before) continue;
      before = calls;
      await server.restart();
    }
  };
  const restarting = restart();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: orch puts the value in
  const entities = [{ name: "${payload.mark}", entityType: "mark", observations: [] }];
  const step = () => ({ kind: "mcp_call", server: "memory", tool: "create_entities", arguments: { entities } });
  return {
    kind: "npm",
    url: server.url,
    procedure: acting(random, step, isIn(file)),
    lost: () => lost,
    stop: async () => {
      isOver = true;
      await restarting;
      await server[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Its connections are killed again and again. The name with a dot is in the command line of what runs there. */
async function losingSsh({ random, file }: Given): Promise<Kind> {
  const directory = mkdtempSync(join(tmpdir(), "orch-chaos-ssh-"));
  const server = await startSshd(directory);
  let lost = 0;
  let isOver = false;
  const cut = async () => {
    for (; !isOver; await sleep(random.between(200, 1_200))) lost += server.cut();
  };
  const cutting = cut();
  const value = server.command(`: ${TASK}.; sleep 0.7; echo ${TASK} >> ${file}`);
  return {
    kind: "ssh",
    procedure: acting(random, () => ({ kind: "cmd", value }), isIn(file)),
    lost: () => lost,
    stop: async () => {
      isOver = true;
      await cutting;
      await server[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Null where PostgreSQL is not installed. */
async function losingDatabase({ random }: Given): Promise<(Kind & { rows: () => Promise<string[]> }) | null> {
  const server = postgres();
  if (server === null) return null;
  const url = await server.createDatabase();
  const proxy = await postgresqlProxy(url);
  const admin = await new PrismaPg({ connectionString: url, max: 1 }).connect();
  await admin.executeScript("CREATE TABLE effect (task text)");
  let lost = 0;
  const arm = () => {
    const fault = random.pick(["done_answer_lost", "done_answer_lost", "not_done_answer_lost", "slow"] as const);
    void proxy.arm("COMMIT", fault).then(() => {
      if (fault !== "slow") lost += 1;
      arm();
    });
  };
  arm();
  const value = `psql -Xq1 -c "INSERT INTO effect VALUES ('${TASK}')" ${proxy.url}`;
  const count = `psql -XAtqc "SELECT count(*) FROM effect WHERE task = '${TASK}'" ${url}`;
  return {
    kind: "psql",
    procedure: acting(random, () => ({ kind: "cmd", value }), `test "$(${count})" -gt 0`),
    lost: () => lost,
    rows: async () => {
      const { rows } = await admin.queryRaw({ sql: "SELECT task FROM effect", args: [], argTypes: [] });
      return rows.map(([task]) => String(task));
    },
    stop: async () => {
      await admin.dispose();
      await proxy.stop();
      await server.stop();
    },
  };
}
