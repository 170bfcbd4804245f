// `npm run bench -- --only tasks,looks`: what orch costs beside a bare loop that does the same work with the same durability. Ratios of
// medians measured in turn in one run; absolute figures are of this machine and this moment. All of it takes twelve minutes.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Engine, openEngine } from "../support/engine.ts";
import { benchAgents } from "./agents.ts";
import { benchCalls } from "./calls.ts";
import { type Floor, startFloor } from "./floor.ts";
import { benchHostile } from "./hostile.ts";
import { benchLooks } from "./looks.ts";
import { benchPlanning } from "./notes.ts";
import { benchServer } from "./server.ts";
import { benchBytes, benchLookUp, benchWaiting } from "./store.ts";
import { say } from "./table.ts";
import { benchTasks } from "./tasks.ts";

type Bench = { readonly engine: Engine; readonly floor: Floor };

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  tasks: ({ engine, floor }) => benchTasks(engine, floor),
  looks: ({ floor }) => benchLooks(floor),
  bytes: ({ engine }) => benchBytes(engine),
  calls: benchCalls,
  agents: benchAgents,
  notes: benchPlanning,
  "look-up": ({ engine }) => benchLookUp(engine),
  waiting: ({ engine }) => benchWaiting(engine, 10_000),
  hostile: benchHostile,
  server: () => benchServer(10_000),
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",") ?? Object.keys(PARTS);
const unknown = only.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);

const directory = await mkdtemp(join(tmpdir(), "orch-floor-"));
const floor = startFloor(join(directory, "floor.db"));
say(`orch bench, node ${process.version}, ${cpus().length} cores, SQLite (WAL, every commit flushed)\n`);
try {
  await using engine = await openEngine({ env: { ORCH_CONCURRENCY: "32" } });
  for (const name of only) await PARTS[name]?.({ engine, floor });
} finally {
  floor.close();
  await rm(directory, { recursive: true, force: true });
}
