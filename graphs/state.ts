// Declares what the nodes of the pipeline share: the facts that pass between them, and what they are given. Facts are indexes and words,
// never output. Output is in the journal, so a checkpoint does not grow with the steps. A node announces that it begins and that it ends,
// and an edge chooses by the fact that a node reported.
import { channel } from "node:diagnostics_channel";
import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { AgentBackendName } from "../src/domain/agent-events.ts";
import { TaskContract } from "../src/domain/contract.ts";
import { OrchError } from "../src/domain/errors.ts";
import { Reason } from "../src/domain/outcome.ts";
import type { ProofDeps } from "../src/engine/tasks/sop-checks.ts";
import type { AgentRunDeps } from "../src/features/agents/judge-calls.ts";
import type { AgentBackend, AgentRun } from "../src/features/agents/port.ts";
import type { Skill } from "../src/ports.ts";

export const PipelineInput = new StateSchema({ contract: TaskContract });

export const PipelineState = new StateSchema({
  contract: TaskContract,
  path: z.enum(["sop", "update_sop", "skill", "agent", "unavailable"]).optional(),
  lookup: z.enum(["known", "teachable", "unknown"]).optional(),
  /** What policy says of the whole plan; `undecided` until the model has matched the categories. */
  permission: z.enum(["allow", "undecided", "ask", "deny"]).optional(),
  approval_id: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
  replacement: z.enum(["requested", "refused", "cancelled", "suspended"]).optional(),
  execution: z
    .enum([
      "completed",
      "already_done",
      "broken",
      "outcome_unknown",
      "unapproved",
      "unavailable",
      "cancelled",
      "suspended",
    ])
    .optional(),
  /** What the reconcile command of a step of unknown outcome has settled. */
  reconciliation: z.enum(["settled", "undecided", "cancelled", "suspended"]).optional(),
  agent: z.enum(["finished", "failed", "blocked", "asks", "outcome_unknown", "cancelled", "suspended"]).optional(),
  /** The step of a skill, or the call of an agent, of unknown outcome. */
  step_index: z.int().optional(),
  skill: z.enum(["ok", "failed", "blocked", "asks", "outcome_unknown", "cancelled", "suspended"]).optional(),
  error: z.enum(["worth_a_retry", "final"]).optional(),
  verdict: z.enum(["pass", "fail"]).optional(),
  reason: Reason.optional(),
});

/** LangGraph does not check what a run is started with. */
export function assertHasContract({ contract }: { readonly contract?: unknown }): void {
  if (contract !== undefined) return;
  throw new OrchError("contract_invalid", "contract is missing.", { fix: 'The input is {"contract": {...}}.' });
}

export type Pipeline = typeof PipelineState.State;
export type Facts = typeof PipelineState.Update;

/** What the nodes are given. They close over it; there is no other wiring. */
export type PipelineDeps = AgentRunDeps &
  Pick<ProofDeps, "unapproved"> & {
    /** Which versions ask for their promotion or replacement; the others are refused. */
    readonly sop_promotion: "ask" | "proved_only";
    /** Null when no skill handles the intent. */
    readonly skillOf: (intent: string) => Skill | null;
    readonly agentBackendOf: (name: AgentBackendName) => AgentBackend;
    readonly agentRunOf: (contract: TaskContract) => Promise<AgentRun>;
  };

const beginning = channel("orch:node");
const ending = channel("orch:node_end");

type Node = (state: never) => Promise<unknown>;

export const traced = <Nodes extends Record<string, Node>>(nodes: Nodes): Nodes =>
  Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [
      name,
      (state: never) => {
        if (beginning.hasSubscribers) beginning.publish({ name, state });
        const end = node(state);
        return ending.hasSubscribers ? end.finally(() => ending.publish({ name, state })) : end;
      },
    ]),
  ) as Nodes;

/** A row for each node: the one node that follows it, or the fact that chooses and where each of its values leads. */
export type Edges<State, Node extends string> = Readonly<Record<Node, To<Node> | Choice<State, keyof State, Node>>>;
type To<Node> = Node | "__end__";
type Choice<State, Fact extends keyof State, Node> = Fact extends string
  ? { readonly fact: Fact; readonly next: { readonly [Value in NonNullable<State[Fact]> & string]?: To<Node> } }
  : never;

type Buildable = {
  addEdge: (from: never, to: never) => unknown;
  addConditionalEdges: (from: never, choose: (state: never) => never, next: never) => unknown;
};

/** Throws within a run when the node has reported no fact: that is a bug, and no outcome is guessed. */
export function withEdges<Graph extends Buildable, State, Node extends string>(
  graph: Graph,
  edges: Edges<State, Node>,
): Graph {
  for (const [node, row] of Object.entries(edges) as [string, string | { fact: string; next: object }][]) {
    if (typeof row === "string") graph.addEdge(node as never, row as never);
    else graph.addConditionalEdges(node as never, (state) => factOf(state, row.fact, node), row.next as never);
  }
  return graph;
}

function factOf(state: Readonly<Record<string, unknown>>, fact: string, node: string): never {
  const reported = state[fact];
  if (reported == null) throw new Error(`no fact ${fact}: ${node} has reported none`);
  return reported as never;
}
