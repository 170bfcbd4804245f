// The tags of the OpenAPI document: each operation has that of the first part of its path.

const TAGS: Readonly<Record<string, readonly [tag: string, description: string]>> = {
  tasks: ["Tasks", "Contracts and what became of them."],
  graph: ["Tasks", "Contracts and what became of them."],
  explain: ["Tasks", "Contracts and what became of them."],
  teach: ["Procedures", "Stored procedures (SOPs): taught, examined, exported, copied."],
  sops: ["Procedures", "Stored procedures (SOPs): taught, examined, exported, copied."],
  schedules: ["Schedules", "Contracts that orch submits by itself."],
  freezes: ["Freezes", "A switch that lets nothing start."],
  approve: ["Approvals", "What a human decides."],
  approvals: ["Approvals", "What a human decides."],
  messages: ["Messages", "What orch reports to its supervisor."],
  inbox: ["Messages", "What orch reports to its supervisor."],
  events: ["Messages", "What orch reports to its supervisor."],
  scorecard: ["Scorecard", "Whether the service meets its targets."],
  servers: ["Servers", "The servers that share the database."],
  healthz: ["Health", "Whether the server works."],
  readyz: ["Health", "Whether the server works."],
};
const OTHER = ["Other", "Everything else."] as const;

const found = (path: string): readonly [tag: string, description: string] =>
  TAGS[path.replace(/^\/(v1\/)?/, "").split("/")[0] ?? ""] ?? OTHER;

export const tagOf = (path: string): string => found(path)[0];

/** Every tag that is used, or that a webhook uses, once. */
export function tagsIn(paths: readonly string[]): object[] {
  const used = new Map([...paths, "/v1/messages"].map(found));
  return [...used].map(([name, description]) => ({ name, description }));
}
