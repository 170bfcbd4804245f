// Runs orch verify: records the supervisor's own check of a finished task, with the evidence of it. A command that shows it
// is run on the machine of the user, and never by the server.
import { z } from "zod";
import { type CommandContext, command } from "../../cli/context.ts";
import { EXIT, failed, usage } from "../../cli/failure.ts";
import { lookWith } from "../../cli/look-with-command.ts";
import { taskLines } from "../../cli/show-task.ts";
import { beginningOf, type GivenEvidence } from "../../domain/verification.ts";
import { createRedactor } from "../../redact/find-secrets.ts";
import { recordVerification } from "./shapes.ts";

const Given = z.object({
  id: z.string(),
  verified: z.boolean().default(false),
  notVerified: z.boolean().default(false),
  source: z.string().optional(),
  note: z.string().optional(),
  text: z.string().optional(),
  seenAt: z.string().optional(),
  command: z.string().optional(),
});

const LIMIT_MS = 300_000;
const MAX_SOURCE = 1024;

export const verify = command(Given, async (context, { id, verified, notVerified, source, note, ...shows }) => {
  const { call, out } = context;
  if (verified === notVerified) return failed(usage("Give either --verified or --not-verified."));
  if (source === undefined && shows.seenAt === undefined && shows.command === undefined)
    return failed(usage("Name with --source what was checked, or give --seen-at or --command."));
  const evidence = await evidenceOf(context, shows);
  const looked_at = source ?? shows.seenAt ?? evidence?.command?.command ?? "";
  const recorded = {
    task_id: id,
    verified,
    note,
    source: beginningOf(looked_at, MAX_SOURCE),
    evidence,
  };
  const view = await call(recordVerification, recorded);
  out.answer(view, () => taskLines(view, out));
  return EXIT.done;
});

type Shows = Pick<z.output<typeof Given>, "text" | "seenAt" | "command">;

/** Undefined where nothing is given. */
async function evidenceOf(
  context: CommandContext,
  { text, seenAt: url, command: line }: Shows,
): Promise<GivenEvidence | undefined> {
  if (text === undefined && url === undefined && line === undefined) return undefined;
  const given = { ...(text !== undefined && { text }), ...(url !== undefined && { url }) };
  if (line === undefined) return given;
  const { cwd, environment, onInterrupt } = context;
  const { token, approver } = await context.connect();
  const leave = new AbortController();
  const stopListening = onInterrupt(() => {
    leave.abort();
    return EXIT.interrupted;
  });
  const redact = createRedactor(secretsOf(environment, [token.value, approver.value]));
  const end = await lookWith(line, { cwd, environment, redact, limit_ms: LIMIT_MS, signal: leave.signal });
  stopListening();
  if (end.ok) return { ...given, command: end.look };
  const fix = "Nothing was recorded. Run it yourself, and give what it shows with --text.";
  return failed({ exit: EXIT.not_ok, code: "command_failed", detail: end.reason, fix });
}

const NAMED_AS_SECRET = /TOKEN|SECRET|PASSW|API_?KEY|COOKIE|CREDENTIAL/i;

const secretsOf = (environment: CommandContext["environment"], tokens: readonly (string | null)[]): string[] =>
  [
    ...tokens,
    ...Object.entries(environment).map(([name, value]) => (NAMED_AS_SECRET.test(name) ? value : null)),
  ].filter((secret) => typeof secret === "string");
