// Traces of the work on tasks (D-391), if the program was started with an SDK of OpenTelemetry: without one nothing of its API is loaded.
import type { Log } from "../log/log.ts";
import { handsOn } from "./hand-on.ts";
import type { Traces } from "./port.ts";

/** Under which every copy of the API registers itself. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

export async function openTraces(version: string, log: Pick<Log, "info" | "warn" | "error">): Promise<Traces> {
  if (!(REGISTERED in globalThis)) return handsOn();
  const { findTracer } = await import("./find-tracer.ts");
  const tracer = findTracer(version);
  if (tracer === null) {
    log.warn(
      {},
      "an SDK of OpenTelemetry is loaded that registers no tracer, or whose API is older than 1.9: nothing is traced",
    );
    return handsOn();
  }
  log.info({}, "tasks are traced through OpenTelemetry");
  const { createTraces } = await import("./traces.ts");
  return createTraces(tracer, (err) =>
    log.error({ err }, "the SDK of OpenTelemetry fails: traces are incomplete, tasks run as without it"),
  );
}
