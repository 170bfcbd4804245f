// How long texts that are made to cost keep the server from answering others: it is asked to explain them over HTTP, as many at
// once as a hostile client would, and once as one plan.
import { join } from "node:path";
import { HOSTILE_SHAPES } from "../../src/guard/test/guard/hostile-shapes.ts";
import { contractBody } from "../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";
import { ms, row, timed } from "./table.ts";

const SHAPES = 200;
const AT_ONCE = [1, 8];
const STEPS = 60;

const LIMITS_OFF = { ORCH_REQUESTS_PER_SECOND: "0", LOG_LEVEL: "error" };

const TEXTS = HOSTILE_SHAPES.map(([, text]) => text);
/** Of all kinds. */
const PLAN = TEXTS.filter((_, at) => at % Math.floor(TEXTS.length / STEPS) === 0).slice(0, STEPS);

async function explained({ post }: OrchProcess, texts: readonly string[]): Promise<number> {
  const steps = texts.map((value) => ({ kind: "cmd", value }));
  return timed(async () => {
    const { status, body } = await post("/v1/explain", { contract: contractBody({ success_criteria: [] }), steps });
    if (status !== 200) throw new Error(`explain answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  });
}

async function measured(work: (orch: OrchProcess) => Promise<number[]>): Promise<{ took: number[]; loop: string }> {
  await using directory = await temporaryDirectory();
  const preload = join(import.meta.dirname, "loop-delay-process.ts");
  const orch = await startOrchProcess({ data_dir: directory.path, env: LIMITS_OFF, preload });
  await orch.get("/healthz");
  orch.child.kill("SIGUSR2");
  const took = await work(orch);
  await orch.kill("SIGTERM");
  const loop = /loop delay: p50 .*? ms, (.*)/.exec(orch.output())?.[1] ?? "not measured";
  return { took: took.toSorted((a, b) => a - b), loop };
}

async function manyAtOnce(orch: OrchProcess, at_once: number): Promise<number[]> {
  const left = TEXTS.slice(0, SHAPES);
  const took: number[] = [];
  const client = async () => {
    for (let text = left.pop(); text !== undefined; text = left.pop()) took.push(await explained(orch, [text]));
  };
  await Promise.all(Array.from({ length: at_once }, client));
  return took;
}

export async function benchHostile(): Promise<void> {
  for (const at_once of AT_ONCE) {
    const { took, loop } = await measured((orch) => manyAtOnce(orch, at_once));
    const [p99 = 0, worst = 0] = [took[Math.floor(took.length * 0.99) - 1], took.at(-1)];
    row(`${SHAPES} hostile texts, ${at_once} at once`, ["p99", ms(p99)], ["worst", ms(worst)], ["event loop", loop]);
  }
  const plan = await measured(async (orch) => [await explained(orch, PLAN)]);
  row(`a plan of ${STEPS} hostile texts`, ["explain", ms(plan.took[0] ?? 0)], ["event loop", plan.loop]);
}
