// Preloaded into the server (`node --import`): says at its end how long its event loop kept others waiting, in ms, since its start
// or since SIGUSR2.
import { writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on("SIGUSR2", () => delay.reset());

process.once("exit", () => {
  const [p50 = 0, p99 = 0, max = 0] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) =>
    Math.max(0, ns / 1e6 - RESOLUTION_MS),
  );
  writeSync(2, `loop delay: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms\n`);
});
