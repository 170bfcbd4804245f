// Defines what the journal records of checks from outside, and what is said of it. Evidence was written by others: each of its lines is
// marked, so that none passes for a line of orch.
import { event } from "../../domain/event.ts";
import { say, VERIFY } from "../../domain/next-action.ts";
import { printableLines } from "../../domain/printable.ts";
import { beginningOf, VerificationMissed, VerificationRecorded } from "../../domain/verification.ts";

/** The output of a command may be long; the evidence bundle has what was kept of it. */
const MAX_LINES = 20;
const MAX_LINE = 300;

export const verificationLine = ({ verified, verified_by, source, note }: VerificationRecorded): string =>
  `${verified ? "verified" : "not verified"} by ${verified_by ?? source}${note === null ? "" : `: ${note}`}`;

export function evidenceLines({ evidence }: Pick<VerificationRecorded, "evidence">): string[] {
  const { url, text, command, task_id } = evidence ?? {};
  return [
    ...(task_id === undefined ? [] : [`seen in task ${task_id}`]),
    ...(url === undefined ? [] : [`seen at ${url}`]),
    ...(text === undefined ? [] : quoted(text)),
    ...(command === undefined ? [] : commandLines(command)),
  ];
}

type SeenCommand = NonNullable<NonNullable<VerificationRecorded["evidence"]>["command"]>;

function commandLines({ command, exit_code, output }: SeenCommand) {
  const end = exit_code === undefined ? "was ended by a signal" : `exited with ${exit_code}`;
  return [...quoted(command).map((line) => line.replace("|", "$")), ...quoted(output), `the command ${end}`];
}

function quoted(text: string): string[] {
  if (text === "") return [];
  const lines = printableLines(text);
  const left = lines.length - MAX_LINES;
  return [
    ...(left > 0 ? [`| (${left} lines before)`] : []),
    ...lines.slice(-MAX_LINES).map((line) => `| ${shortened(line)}`),
  ];
}

const shortened = (line: string): string => (line.length > MAX_LINE ? `${beginningOf(line, MAX_LINE)} ...` : line);

export const VERIFICATION_EVENTS = {
  verification_recorded: event({
    body: VerificationRecorded,
    text: (recorded) => ({
      about: "outside check",
      text: verificationLine(recorded),
      more: evidenceLines(recorded),
    }),
  }),
  verification_missed: event({
    body: VerificationMissed,
    text: ({ verify_by, message }) => ({ about: "outside check", text: `no verdict of ${verify_by}: ${message}` }),
    message: {
      status: "blocked",
      text: ({ message }) => message,
      webhook: "verification.missed",
      next: (facts) => [
        VERIFY(facts),
        say("For the next task: have the procedure that verifies taught, promoted or corrected.")(facts),
      ],
    },
  }),
};
