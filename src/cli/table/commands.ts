// Every command with its arguments and options. The parser, help, completion and the commands of `next` derive from it.

import { AGENT_BACKENDS } from "../../domain/agent-events.ts";
import { APPROVAL_COMMANDS, MESSAGE_COMMANDS } from "../../features/approvals/command-table.ts";
import { CONSOLE_COMMANDS } from "../../features/console/command-table.ts";
import { FREEZE_COMMANDS } from "../../features/freeze/command-table.ts";
import { ANCHOR_COMMANDS, KEEPING_COMMANDS } from "../../features/keeping/command-table.ts";
import { LIBRARY_COMMANDS, PROCEDURE_COMMANDS } from "../../features/procedures/command-table.ts";
import { PROOF_COMMANDS } from "../../features/proof/command-table.ts";
import { SCHEDULE_COMMANDS } from "../../features/schedules/command-table.ts";
import { SCORECARD_COMMANDS } from "../../features/scorecard/command-table.ts";
import { DRAIN_COMMANDS, SERVER_COMMANDS } from "../../features/servers/command-table.ts";
import { SKILL_COMMANDS } from "../../features/skills/command-table.ts";
import { VERIFICATION_COMMANDS } from "../../features/verification/command-table.ts";
import { readAgain, readWait } from "../option-values.ts";
import { type CommandEntry, FORCE } from "./command.ts";
import { CONTRACT_COMMANDS, RUNNING_TASK_COMMANDS, TASK_COMMANDS } from "./task-commands.ts";

// Commands that need no running server, and those that start one.

const SERVER_START_COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "start the server",
    run: async () => (await import("../commands/serve.ts")).serve,
    examples: ["orch serve", "orch serve --port 7000 --data-dir ./data"],
    options: [
      ["--port <n>", "listen on this port; 0 takes any free port (default: ORCH_PORT)"],
      ["--host <address>", "listen on this address (default: ORCH_HOST)"],
      ["--data-dir <directory>", "keep the database and the tokens here (default: ORCH_DATA_DIR)"],
    ],
    more: "An option takes the place of its variable. Environment variables configure the server. Ctrl-C ends it after the running steps.",
  },
  {
    name: "mcp",
    summary: "serve the tools of orch to an MCP client on stdin and stdout",
    run: async () => (await import("../commands/mcp.ts")).mcp,
    examples: ["orch mcp"],
    more: "Uses the running server. Without a running server on this machine, it starts one in this process.",
  },
  {
    name: "ready",
    summary: "ask whether the server serves, for health checks",
    run: async () => (await import("../commands/serve.ts")).ready,
    examples: ["orch ready", "orch ready --wait 30"],
    options: [["--wait [seconds]", "until it does, at most this long; without a number: no limit", readWait]],
    more: "Exit code 0: it serves, 1: it has started and does not serve yet, 6: it does not answer. Needs no token.",
  },
  {
    name: "service install",
    summary: "write units for systemd, and show them: the server, and a backup every night",
    run: async () => (await import("../commands/service.ts")).installService,
    examples: ["orch service install --print", "orch service install --user orch"],
    options: [
      ["--user <name>", "the account of the service (default: orch)"],
      ["--to <directory>", "write them here (default: /etc/systemd/system)"],
      ["--print", "only print them"],
      FORCE,
    ],
    more: "Nothing is enabled or started. Settings go to /etc/orch/orch.env, secrets to files in /etc/orch/credentials.",
  },
  {
    name: "doctor",
    summary: "check everything orch needs: what works, what falls back, how to repair it",
    run: async () => (await import("../commands/doctor.ts")).doctor,
    examples: ["orch doctor", "orch doctor --deep", "orch doctor --server"],
    options: [
      ["--deep", "also run the flow of the flow engine with one harmless check, and compare its script"],
      ["--server", "what the running server finds, in its own environment, instead"],
    ],
    calls: [{ operation: "get_diagnosis", parameters: {}, always: ["--server"] }],
  },
];

const JUDGING_COMMANDS: readonly CommandEntry[] = [
  {
    name: "policy check",
    summary: "judge a shell command without running it and without a server",
    run: async () => (await import("../commands/policy-check.ts")).policyCheck,
    examples: ["orch policy check 'git reset --hard' --cwd /srv/web", "orch policy check --file deploy.sh"],
    arguments: [["[command]", "the command, in quotes"]],
    options: [
      ["--file <file>", "judge this script; - is stdin"],
      [
        "--cwd <directory>",
        "the directory in which it would run (default: compose_dir of the target, or the home directory)",
      ],
      ["--home <directory>", "the home directory"],
      ["--target <key=value>", "an attribute of the target; may be repeated", readAgain],
    ],
    more: "Exit code 0: allowed, 1: always blocked, 4: it would need an approval.",
  },
  {
    name: "eval routing",
    summary: "measure the routing model on labelled questions",
    run: async () => (await import("../commands/eval.ts")).evalRouting,
    examples: ["orch eval routing test/eval/routing.jsonl --limit 20"],
    arguments: [["<file>", "cases in JSONL, one a line; - is stdin"]],
    options: [["--limit <n>", "only the first n cases"]],
    more: `A case is one of:
  {"question":"error","command":"...","output":"...","expected":"transient" or "unknown"}
  {"question":"approval","command":"...","categories":["..."],"expected":"..." or null}
The command asks the model that the server uses: ROUTING_MODEL, ROUTING_URL, ROUTING_TIMEOUT_MS. It asks each case with ROUTING_FORMAT and then with the other format; the last line says which to take. Ctrl-C and SIGTERM print the results so far.
Two wrong answers are dangerous: "false transient" repeats a step that must not be repeated, and "false no approval" runs an operation without an approval. Cases are in test/eval/routing.jsonl.`,
  },
  {
    name: "eval agent",
    summary: "measure the agent model on small tasks",
    run: async () => (await import("../commands/eval.ts")).evalAgent,
    examples: ["orch eval agent test/eval/agent --only restart"],
    arguments: [["<directory>", "a directory of tasks, each in one YAML file"]],
    options: [
      ["--backend <backend>", "on this agent backend (default: AGENT_BACKEND)", AGENT_BACKENDS],
      ["--only <name>", "only this task"],
    ],
    more: `A task has name, goal, success_criteria, files (content by path) and verify (bash that exits with 0 when the task was done). Optional are setup (bash that runs before the agent), scope (default: shell) and max_minutes. Each task has a directory of its own. A separate orch runs the tasks and rejects every approval. The model is AGENT_MODEL or ROUTING_MODEL. Ctrl-C and SIGTERM print the results so far.
Exit code 1: orch reported a task as DONE that was not done. Tasks are in test/eval/agent.`,
  },
];

export const COMMANDS: readonly CommandEntry[] = [
  ...TASK_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...RUNNING_TASK_COMMANDS,
  ...VERIFICATION_COMMANDS,
  ...SCORECARD_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...PROCEDURE_COMMANDS,
  ...PROOF_COMMANDS,
  ...CONTRACT_COMMANDS,
  ...LIBRARY_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...SERVER_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...ANCHOR_COMMANDS,
  ...DRAIN_COMMANDS,
  ...FREEZE_COMMANDS,
  ...SERVER_START_COMMANDS,
  ...KEEPING_COMMANDS,
  ...SKILL_COMMANDS,
  ...JUDGING_COMMANDS,
];
