// Commands on schedules.
import { ALL, type CommandEntry, LIMIT } from "../../cli/table/command.ts";

const SCHEDULE = ["<name>", "a schedule"] as const;
const named = { name: "<name>" };

export const SCHEDULE_COMMANDS: readonly CommandEntry[] = [
  {
    name: "schedule add",
    summary: "have a contract submitted by orch itself, at an interval or by a cron expression",
    run: async () => (await import("./commands.ts")).addScheduleOf,
    examples: [
      "orch schedule add web-up.yaml --every 5m",
      "orch schedule add backup.yaml --cron '0 3 * * *' --timezone Europe/Berlin --name nightly-backup",
    ],
    arguments: [["<file>", "a task contract in JSON or YAML, without task_id and requested_at; - is stdin"]],
    options: [
      ["--every <interval>", "such as 5m, 1h or 1d; at least 10s"],
      ["--cron <expression>", 'minute, hour, day, month and weekday, such as "0 3 * * *"'],
      ["--timezone <zone>", "of --cron, such as Europe/Berlin (default: that of the server)"],
      ["--name <name>", "the name of the schedule (default: that of the file)"],
    ],
    more: "The id of each task is the name and the due time. A due time is skipped while the task before has not ended.",
    calls: [
      {
        operation: "add_schedule",
        parameters: { name: "--name", every: "--every", cron: "--cron", timezone: "--timezone" },
      },
    ],
  },
  {
    name: "schedule list",
    summary: "list the schedules by name",
    run: async () => (await import("./commands.ts")).schedules,
    examples: ["orch schedule list"],
    options: [LIMIT, ALL],
    calls: [{ operation: "list_schedules", parameters: {} }],
  },
  {
    name: "schedule show",
    summary: "show a schedule and what its due times came to",
    run: async () => (await import("./commands.ts")).showSchedule,
    examples: ["orch schedule show web-up"],
    arguments: [SCHEDULE],
    calls: [{ operation: "get_schedule", parameters: named }],
  },
  {
    name: "schedule pause",
    summary: "pause a schedule",
    run: async () => (await import("./commands.ts")).pause,
    examples: ["orch schedule pause web-up"],
    arguments: [SCHEDULE],
    calls: [{ operation: "pause_schedule", parameters: named }],
  },
  {
    name: "schedule resume",
    summary: "let a paused schedule go on",
    run: async () => (await import("./commands.ts")).resume,
    examples: ["orch schedule resume web-up"],
    arguments: [SCHEDULE],
    calls: [{ operation: "resume_schedule", parameters: named }],
  },
  {
    name: "schedule remove",
    summary: "remove a schedule; its tasks stay",
    run: async () => (await import("./commands.ts")).remove,
    examples: ["orch schedule remove web-up"],
    arguments: [SCHEDULE],
    calls: [{ operation: "remove_schedule", parameters: named }],
  },
];
