// npm run bench: what orch costs beside a bare loop that does the same work with the same durability. Ratios of medians
// measured in turn in one run; absolute figures are of this machine and this moment.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "../support/engine.ts";
import { benchAgents } from "./agents.ts";
import { benchCalls } from "./calls.ts";
import { startFloor } from "./floor.ts";
import { benchHostile } from "./hostile.ts";
import { benchLooks } from "./looks.ts";
import { benchPlanning } from "./notes.ts";
import { benchServer } from "./server.ts";
import { benchBytes, benchLookUp, benchWaiting } from "./store.ts";
import { say } from "./table.ts";
import { benchTasks } from "./tasks.ts";

const directory = await mkdtemp(join(tmpdir(), "orch-floor-"));
const floor = startFloor(join(directory, "floor.db"));
say(`orch bench, node ${process.version}, ${cpus().length} cores, SQLite (WAL, every commit flushed)\n`);
try {
  await using engine = await openEngine({ env: { ORCH_CONCURRENCY: "32" } });
  await benchTasks(engine, floor);
  await benchLooks(floor);
  await benchBytes(engine);
  await benchCalls();
  await benchAgents();
  await benchPlanning();
  await benchLookUp(engine);
  await benchWaiting(engine, 10_000);
  await benchHostile();
  await benchServer(10_000);
} finally {
  floor.close();
  await rm(directory, { recursive: true, force: true });
}
