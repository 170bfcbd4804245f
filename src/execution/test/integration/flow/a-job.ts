// A job of the flow under bun with these steps, and who its processes are.
import { readdirSync, readFileSync } from "node:fs";
import { type FlowJob, startFlowJob } from "../../../../../test/simulators/flow-engine/flow-job.ts";
import { aContract } from "../../../../../test/support/builders.ts";
import type { Step } from "../../../../domain/step.ts";

type Servers = Readonly<Record<string, { readonly url: string; readonly token: string }>>;
type Surroundings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly mcp_servers?: Servers;
  /** What the context holds beside the target, the payload and the servers. */
  readonly context?: object;
};

export const argumentsFor = (steps: readonly unknown[], mcp_servers: Servers = {}) => {
  const task_contract = aContract({ target: { service: "web" } });
  return { task_contract, steps, context: { target: task_contract.target, payload: {}, mcp_servers } };
};

export function aJob(steps: readonly Step[], given: Surroundings = {}): Promise<FlowJob> {
  const { env = {}, mcp_servers = {}, context = {} } = given;
  const args = argumentsFor(steps, mcp_servers);
  return startFlowJob({ ...args, context: { ...args.context, ...context } }, env);
}

type Member = { readonly pid: number; readonly parent: number; readonly group: number; readonly session: number };

export const childrenOf = (pid: number | undefined): Member[] => living().filter(({ parent }) => parent === pid);

/** A zombie is dead, and its parent has not taken note yet. */
const living = (): Member[] =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap(memberOf);

function memberOf(pid: string): Member[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // `pid (name) state parent group session ...`, where the name may hold anything.
    const [state, parent, group, session] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) }];
  } catch {
    return []; // It has ended in the meantime.
  }
}
