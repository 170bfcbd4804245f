// The code of each command by its name. It is loaded only when the command runs, so that every command starts fast.
import type { CommandRun } from "./context.ts";

const LOADERS: Readonly<Record<string, () => Promise<CommandRun>>> = {
  submit: async () => (await import("./commands/submit.ts")).submit,
  run: async () => (await import("./commands/run.ts")).run,
  "new contract": async () => (await import("./commands/new-contract.ts")).newContract,
  tasks: async () => (await import("./commands/tasks.ts")).tasks,
  task: async () => (await import("./commands/task.ts")).task,
  approvals: async () => (await import("./commands/approvals.ts")).approvals,
  approve: async () => (await import("./commands/decide.ts")).approve,
  reject: async () => (await import("./commands/decide.ts")).reject,
  cancel: async () => (await import("./commands/cancel.ts")).cancel,
  resolve: async () => (await import("./commands/resolve.ts")).resolve,
  evidence: async () => (await import("./commands/evidence.ts")).evidence,
  graph: async () => (await import("./commands/graph.ts")).graph,
  verify: async () => (await import("./commands/verify.ts")).verify,
  inbox: async () => (await import("./commands/inbox.ts")).inbox,
  scorecard: async () => (await import("./commands/scorecard.ts")).scorecard,
  messages: async () => (await import("./commands/messages.ts")).messages,
  teach: async () => (await import("./commands/teach.ts")).teach,
  sops: async () => (await import("./commands/sops.ts")).sops,
  "sop show": async () => (await import("./commands/sops.ts")).showSop,
  "sop diff": async () => (await import("./commands/sops.ts")).diffSop,
  "sop export": async () => (await import("./commands/sops.ts")).exportSopFile,
  "sop import": async () => (await import("./commands/sops.ts")).importSopFile,
  "sop propose": async () => (await import("./commands/propose-sop.ts")).proposeSopFile,
  "sop copy": async () => (await import("./commands/copy-sop.ts")).copySopFor,
  "sop rollback": async () => (await import("./commands/rollback-sop.ts")).rollbackSopTo,
  prove: async () => (await import("./commands/prove.ts")).prove,
  "schedule add": async () => (await import("./commands/schedules.ts")).addScheduleOf,
  "schedule list": async () => (await import("./commands/schedules.ts")).schedules,
  "schedule show": async () => (await import("./commands/schedules.ts")).showSchedule,
  "schedule pause": async () => (await import("./commands/schedules.ts")).pause,
  "schedule resume": async () => (await import("./commands/schedules.ts")).resume,
  "schedule remove": async () => (await import("./commands/schedules.ts")).remove,
  servers: async () => (await import("./commands/servers.ts")).servers,
  drain: async () => (await import("./commands/servers.ts")).drain,
  freeze: async () => (await import("./commands/freezes.ts")).freeze,
  thaw: async () => (await import("./commands/freezes.ts")).thaw,
  freezes: async () => (await import("./commands/freezes.ts")).freezes,
  console: async () => (await import("./commands/console.ts")).openConsole,
  explain: async () => (await import("./commands/explain.ts")).explain,
  serve: async () => (await import("./commands/serve.ts")).serve,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  "skill new": async () => (await import("./commands/skill.ts")).newSkill,
  "skill check": async () => (await import("./commands/skill.ts")).checkSkill,
  "skill test": async () => (await import("./commands/skill.ts")).testSkill,
  "policy check": async () => (await import("./commands/policy-check.ts")).policyCheck,
  "eval routing": async () => (await import("./commands/eval-routing.ts")).evalRouting,
  "eval agent": async () => (await import("./commands/eval-agent.ts")).evalAgent,
};

export function loadCommand(name: string): Promise<CommandRun> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`the command ${name} has no code`);
  return load();
}
