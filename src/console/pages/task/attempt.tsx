// How an attempt of a step ended, and what is kept of what it wrote.
import { leftText, triesText } from "../../../domain/step-run.ts";
import { Output } from "../../parts/output.tsx";
import { Time } from "../../parts/time.tsx";
import type { StepAttempt } from "./run-of.ts";

type Props = {
  readonly task_id: string;
  readonly attempt: StepAttempt;
  readonly is_only: boolean;
  readonly is_last: boolean;
};

export function Attempt({
  task_id,
  attempt: { index, attempt, started_at, result, cancelled = false },
  is_only,
  is_last,
}: Props) {
  if (result === null) return null;
  const { stdout, stderr, stdout_bytes, stderr_bytes, timed_out, left_processes } = result;
  const tries = triesText(result);
  const id = is_last ? `s${index}` : `s${index}-${attempt}`;
  const file = `${task_id}-step-${index}${is_only ? "" : `-attempt-${attempt}`}`;
  const is_silent = stdout === "" && stderr === "";
  return (
    <div className="stack attempt">
      {!is_only && (
        <p className="muted small">
          Attempt {attempt}, <Time at={started_at} />
          {": "}
          {cancelled ? "cancelled" : result.status.replace("_", " ")}
        </p>
      )}
      {cancelled && <p>It was ended because the task was cancelled.</p>}
      {timed_out && <p>It was ended at its time limit.</p>}
      {tries !== "" && <p className="muted small">{`Polled: ${tries}. The output is that of the last one.`}</p>}
      {left_processes !== undefined && <p>{leftText(left_processes)}.</p>}
      {stderr !== "" && (
        <Output
          id={`${id}-err`}
          label="Errors (stderr)"
          text={stderr}
          bytes={stderr_bytes}
          file={`${file}.stderr.txt`}
        />
      )}
      {stdout !== "" && (
        <Output
          id={`${id}-out`}
          label="Output (stdout)"
          text={stdout}
          bytes={stdout_bytes}
          file={`${file}.stdout.txt`}
        />
      )}
      {is_silent && <p className="muted">It wrote nothing.</p>}
    </div>
  );
}
