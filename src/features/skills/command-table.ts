// Commands for those who write skills.
import type { CommandEntry } from "../../cli/table/command.ts";

export const SKILL_COMMANDS: readonly CommandEntry[] = [
  {
    name: "skill new",
    summary: "write a skill to begin with: a handler, what tries it, and a README",
    run: async () => (await import("./commands.ts")).newSkill,
    examples: ["orch skill new lamps"],
    arguments: [["<name>", "the directory to make; its name is that of the skill: lower case, digits, - and _"]],
    more: "The skill works as it is: orch skill test NAME. A directory that is there already is not touched.",
  },
  {
    name: "skill check",
    summary: "check the name, the types and the shape of a skill, without running it",
    run: async () => (await import("./commands.ts")).checkSkill,
    examples: ["orch skill check lamps"],
    arguments: [["<directory>", "the directory with the handler.ts"]],
    more: "Each fault has its file and line. Types are checked where TypeScript is installed, with orch or beside the skill; syntax and shape always are. Exit code 1: there are faults.",
  },
  {
    name: "skill test",
    summary: "try a skill by its test.ts, with imitated servers and without a server of orch",
    run: async () => (await import("./commands.ts")).testSkill,
    examples: ["orch skill test lamps"],
    arguments: [["<directory>", "the directory with the handler.ts and the test.ts"]],
    more: "Each task runs on a temporary database. The task of the test.ts is also stopped and cancelled after each of its commits. Exit code 1: a case failed.",
  },
];
