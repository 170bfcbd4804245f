// Reads the log of a job while it grows, and parses the lines that the shipped flow logs when a step starts and ends: the only
// record of its steps if a job ends without a result (D-102). Callers that follow the task get the lines as progress. The steps
// are in the log of the flow's module, which is a job with its own id, and not in the log of the flow.
import type { StepResult } from "../../domain/step.ts";
import type { Redact } from "../../redact/find-secrets.ts";
import type { EngineApi } from "./engine-api.ts";

export type JobLog = {
  /** `module_id` is null until the engine has started the module. Lines that cannot be read now are read the next time. */
  readonly read: (module_id: string | null) => Promise<void>;
  /** The starts and ends of steps that were read until now. */
  readonly steps: () => readonly StepLine[];
};

const MAX_LINES = 4_000;

const MAX_LENGTH = 400;

/** The characters of a line that redaction reads: a secret may begin in the published part and end after it. */
const MAX_SEEN = 16_384;

type ReadLogDeps = {
  readonly api: Pick<EngineApi, "log">;
  readonly redact: Redact;
  readonly publish: (lines: readonly string[]) => Promise<void>;
};

export function createJobLog({ api, redact, publish }: ReadLogDeps): JobLog {
  const steps: StepLine[] = [];
  let offset = 0;
  let rest = "";
  let line_count = 0;

  const report = async (lines: readonly string[]): Promise<void> => {
    const part = { start: 0, end: MAX_LENGTH };
    const left = Math.max(0, MAX_LINES - line_count);
    const shown = lines.slice(0, left).map((line) => redact(line.slice(0, MAX_SEEN), part));
    if (line_count <= MAX_LINES && lines.length > left) shown.push("the rest of its log is in the flow engine");
    line_count += lines.length;
    if (shown.length > 0) await publish(shown);
  };

  return {
    read: async (module_id) => {
      if (module_id === null) return;
      const update = await api.log(module_id, offset);
      if (update.is !== "ok") return;
      const { new_logs, log_offset } = update.value;
      const text = rest + (new_logs ?? "").replaceAll("\0", "");
      offset = log_offset ?? offset + (new_logs ?? "").length;
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end).slice(0, MAX_SEEN);
      const lines = text
        .slice(0, end)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "");
      for (const line of lines) {
        const step = stepLine(line);
        if (step !== null && steps.length < MAX_LINES) steps.push(step);
      }
      await report(lines);
    },
    steps: () => steps,
  };
}

export type StepLine = {
  readonly index: number;
  readonly kind: StepResult["kind"];
  /** Null: the step has started and not ended. */
  readonly end: Pick<StepResult, "status" | "exit_code" | "duration_ms"> | null;
};

const LINE =
  /^orch: step (\d{1,4}) (cmd|check|wait|mcp_call) (?:started|(passed|failed|outcome_unknown) exit_code=(none|-?\d{1,6}) duration_ms=(\d{1,10}))$/;

/** `index` counts within the job. Null for any other line. */
export function stepLine(line: string): StepLine | null {
  const [, index, kind, status, exit_code, duration_ms] = LINE.exec(line) ?? [];
  if (index === undefined || kind === undefined) return null;
  return {
    index: Number(index),
    kind: kind as StepResult["kind"],
    end:
      status === undefined
        ? null
        : {
            status: status as StepResult["status"],
            exit_code: exit_code === "none" ? null : Number(exit_code),
            duration_ms: Number(duration_ms),
          },
  };
}
