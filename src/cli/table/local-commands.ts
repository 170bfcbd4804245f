// Commands that need no server of orch, or are one.
import { AGENT_BACKENDS } from "../../domain/agent-events.ts";
import { readAgain } from "../option-values.ts";
import type { CommandEntry } from "./command.ts";

export const LOCAL_COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "start the server",
    more: "Configured by environment variables; the README lists them. Ends on Ctrl-C: running steps may finish.",
  },
  {
    name: "mcp",
    summary: "serve the tools of orch to an MCP client on stdin and stdout",
    more: "Uses the running server; where none runs on this machine, one is started in this process.",
  },
  {
    name: "doctor",
    summary: "look at everything orch needs: what works, what falls back, how to mend it",
  },
  {
    name: "policy check",
    summary: "judge a shell command here, without running it and without a server",
    arguments: [["[command]", "the command, in quotes"]],
    options: [
      ["--file <file>", "judge this script; - is stdin"],
      ["--cwd <directory>", "where it would run (default: compose_dir of the target, or the home directory)"],
      ["--home <directory>", "the home directory"],
      ["--target <key=value>", "an attribute of the target; may be repeated", readAgain],
    ],
    more: "Exit code 0: allowed, 1: always blocked, 4: it would need an approval.",
  },
  {
    name: "eval routing",
    summary: "measure the routing model on labelled questions",
    arguments: [["<file>", "cases in JSONL, one a line; - is stdin"]],
    options: [["--limit <n>", "only the first so many"]],
    more: `A case is one of:
  {"question":"error","command":"...","output":"...","expected":"transient" or "unknown"}
  {"question":"approval","command":"...","categories":["..."],"expected":"..." or null}
The model is that of the server: ROUTING_MODEL, ROUTING_URL, ROUTING_TIMEOUT_MS. Ctrl-C shows what there is so far.
Dangerous are "false transient", a failure that would be run again, and "false no approval", an operation that no human
would be asked about. orch comes with cases in test/eval/routing.jsonl.`,
  },
  {
    name: "eval agent",
    summary: "measure the agent model on small tasks",
    arguments: [["<directory>", "tasks in YAML, a file each"]],
    options: [
      ["--backend <backend>", "on this agent backend (default: AGENT_BACKEND)", AGENT_BACKENDS],
      ["--only <name>", "only this task"],
    ],
    more: `A task has name, goal, success_criteria, files (content by path), verify (bash that exits with 0 when it was really done),
and at will setup (bash, before the agent begins), scope (default: shell) and max_minutes. Each is done in a directory of
its own, on an orch that runs for this only; nobody approves anything. The model is AGENT_MODEL or ROUTING_MODEL.
Exit code 1: a task was called DONE that was not done. orch comes with tasks in test/eval/agent.`,
  },
];
