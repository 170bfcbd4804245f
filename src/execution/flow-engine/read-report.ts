// What a job gave back, read for the flow's report (spec section 2, Expected output). An engine wraps the report when it
// counts the job as failed, so it is looked for there too: what was done is evidence either way.
import { z } from "zod";

const Report = z.looseObject({
  ok: z.boolean(),
  summary: z.string().catch(""),
  step_results: z.array(z.unknown()).optional().catch(undefined),
});
export type Report = z.infer<typeof Report>;

const Wrapped = z.looseObject({ error: z.looseObject({ result: z.unknown().optional() }) });
const Failure = z.object({
  error: z.object({ name: z.string().catch("Error"), message: z.string().catch("") }),
});

/** Null when there is none anywhere. In what the engine calls a success nothing is wrapped. */
export function reportIn(result: unknown, is_success: boolean): Report | null {
  const { error } = (is_success ? undefined : Wrapped.safeParse(result).data) ?? {};
  for (const place of [result, error, error?.result]) {
    const { data } = Report.safeParse(place);
    if (data !== undefined) return data;
  }
  return null;
}

export type JobFault = { readonly name: string; readonly message: string };

/** The error with which the engine says that a job failed. */
export const faultIn = (result: unknown): JobFault | null => Failure.safeParse(result).data?.error ?? null;

/** The engine's name for a job that someone has cancelled; one that ran into its own time limit is cancelled by `timeout`. */
export const isCancelled = ({ name, message }: JobFault): boolean =>
  name === "Canceled" || /^Job canceled/i.test(message);
