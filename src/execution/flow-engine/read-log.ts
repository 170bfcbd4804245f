// The log of a job as it grows: its lines are progress for whoever follows the task. The flow's own log is thin; the one
// that tells of the steps is that of its module, a job with an id of its own.
import type { Redact } from "../../redact/redact.ts";
import type { EngineApi } from "./engine-api.ts";
import { type StepLine, stepLine } from "./progress-lines.ts";

export type JobLog = {
  /** `module_id` is known once the engine has begun with the module. Whatever cannot be read now is read the next time. */
  readonly read: (module_id: string | null) => Promise<void>;
  /** The ends and beginnings of steps so far. */
  readonly steps: () => readonly StepLine[];
};

const MAX_LINES = 4_000;
const MAX_LENGTH = 400;
/** Of a line, what redaction looks at: a secret may reach into the part that is told. */
const MAX_SEEN = 16_384;

type Deps = {
  readonly api: Pick<EngineApi, "log">;
  readonly redact: Redact;
  readonly tell: (lines: readonly string[]) => Promise<void>;
};

export function createJobLog({ api, redact, tell }: Deps): JobLog {
  const steps: StepLine[] = [];
  let offset = 0;
  let rest = "";
  let told = 0;

  const report = async (lines: readonly string[]): Promise<void> => {
    const part = { start: 0, end: MAX_LENGTH };
    const left = Math.max(0, MAX_LINES - told);
    const shown = lines.slice(0, left).map((line) => redact(line.slice(0, MAX_SEEN), part));
    if (told <= MAX_LINES && lines.length > left) shown.push("the rest of its log is in the flow engine");
    told += lines.length;
    if (shown.length > 0) await tell(shown);
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
