// Finds the report of the flow in the result of a job [2.flow_output.ok]. An engine that counts a job as failed wraps the
// report in an error, so orch searches there too: the steps that ran are evidence in both cases.
import { z } from "zod";

const FlowReport = z.looseObject({
  ok: z.boolean(),
  summary: z.string().catch(""),
  before_looks: z.unknown().optional(),
  step_results: z.array(z.unknown()).optional().catch(undefined),
});
export type FlowReport = z.infer<typeof FlowReport>;

const Wrapped = z.looseObject({ error: z.looseObject({ result: z.unknown().optional() }) });
const Failure = z.object({
  error: z.object({ name: z.string().catch("Error"), message: z.string().catch("") }),
});

/** Null when there is no report. The engine wraps nothing in a successful result. */
export function reportIn(result: unknown, is_success: boolean): FlowReport | null {
  const { error } = (is_success ? undefined : Wrapped.safeParse(result).data) ?? {};
  for (const candidate of [result, error, error?.result]) {
    const { data } = FlowReport.safeParse(candidate);
    if (data !== undefined) return data;
  }
  return null;
}

export type JobFault = { readonly name: string; readonly message: string };

/** The error in the result of a job that failed. */
export const faultIn = (result: unknown): JobFault | null => Failure.safeParse(result).data?.error ?? null;

/** Whether the job was cancelled. A job that reached its own time limit was cancelled by `timeout`. */
export const isCancelled = ({ name, message }: JobFault): boolean =>
  name === "Canceled" || /^Job canceled/i.test(message);
