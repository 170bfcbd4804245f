// Traces of the work on tasks (D-391), if the program was started with an SDK of OpenTelemetry: without one nothing of its API is loaded.

import { handsOn, type Traces } from "../../engine/tasks/thread.ts";
import type { Log } from "../../log/log.ts";

/** Under which every copy of the API registers itself. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

export async function openTraces(version: string, log: Pick<Log, "info" | "warn" | "error">): Promise<Traces> {
  if (!(REGISTERED in globalThis)) return handsOn();
  const report = (err: unknown) =>
    log.error({ err }, "the SDK of OpenTelemetry fails: traces are incomplete, tasks run as without it");
  try {
    const { findSdk, createTraces } = await import("./traces.ts");
    const sdk = findSdk(version);
    if (sdk !== null) {
      log.info({}, "tasks are traced through OpenTelemetry");
      return createTraces(sdk, report);
    }
    log.warn({}, "an SDK of OpenTelemetry registers no tracer, or its API is older than 1.9: nothing is traced");
  } catch (error) {
    report(error);
  }
  return handsOn();
}
