// The command that records an external check.
import { type CommandEntry, type OperationCall, TASK } from "../../cli/table/command.ts";

const verifies = (verified: boolean, flag: string): OperationCall => ({
  operation: "record_verification",
  chosen_by: { verified },
  parameters: { task_id: "<id>" },
  always: [flag, "--source", "TEXT"],
});

export const VERIFICATION_COMMANDS: readonly CommandEntry[] = [
  {
    name: "verify",
    summary: "record your external check of a finished task",
    run: async () => (await import("./commands.ts")).verify,
    examples: ["orch verify deploy-1 --verified --source 'the dashboard of the site'"],
    arguments: [TASK],
    options: [
      ["--verified", "the task did what it should"],
      ["--not-verified", "the task did not"],
      ["--source <text>", "what was checked: a dashboard, a probe (default: the URL or the command)"],
      ["--note <text>", "the result in words"],
      ["--text <text>", "evidence: what was seen, in words or as a copy"],
      ["--seen-at <url>", "evidence: where it can be seen; it is not opened"],
      ["--command <command>", "evidence: run it here with bash, and record its output and exit code"],
    ],
    more: "--verified or --not-verified is your word: the exit code of --command does not decide it. The command runs on this machine with your rights, at most 300 s; of a long output the beginning and the end are kept, without secrets.",
    calls: [verifies(true, "--verified"), verifies(false, "--not-verified")],
  },
];
