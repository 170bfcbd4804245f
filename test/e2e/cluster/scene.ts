// What the tests of several servers share: three servers on a database of their own, tasks whose steps write down when they run, and
// how to find the server that runs one.
import { expect } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import { contractBody } from "../../support/builders.ts";
import { type Cluster, createCluster, type Member, until } from "../../support/cluster.ts";
import type { Answer } from "../../support/orch-process.ts";
import { postgres } from "../../support/postgres.ts";

/** Null where PostgreSQL is not installed. */
export const server = postgres({ commit_times: true });

/** Three servers start at once, on a machine that may be busy with other tests. */
export const STARTS_MS = 180_000;

export type Scene = AsyncDisposable & {
  readonly cluster: Cluster;
  readonly members: readonly Member[];
  /** The one that runs the task now, or has run its last step. */
  readonly runnerOf: (task_id: string) => Promise<Member>;
  /** Those that have not ended. */
  readonly alive: () => readonly Member[];
  /** Any but the one that runs it. */
  readonly otherThan: (member: Member) => Member;
  /** Starts it again after it has ended. */
  readonly again: (member: Member, over?: Parameters<Cluster["start"]>[1]) => Promise<Member>;
};

export async function threeServers(over: Parameters<Cluster["start"]>[1] = {}): Promise<Scene> {
  if (server === null) throw new Error("PostgreSQL is not installed");
  const cluster = await createCluster(await server.createDatabase());
  const members = await Promise.all(["a", "b", "c"].map((name) => cluster.start(name, over)));
  const alive = () => members.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  return {
    cluster,
    members,
    alive,
    runnerOf: (task_id) =>
      until(`the start of a step of ${task_id}`, 20_000, () => {
        const mark = cluster.marks().findLast((one) => one.task_id === task_id);
        return members.find(({ name }) => name === mark?.server) ?? null;
      }),
    otherThan: (member) => alive().find((other) => other !== member) ?? member,
    again: async (member, over) => {
      const next = await cluster.start(member.name, over);
      members.splice(members.indexOf(member), 1, next);
      return next;
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

const CHECK: Step = { kind: "check", value: "test -d /" };

/** Submits a task and resolves once it waits to be taught. */
export async function submit(to: Member, task_id: string, over: Record<string, unknown> = {}): Promise<void> {
  const contract = contractBody({ task_id, target: { service: task_id }, ...over });
  const { body } = await to.post("/v1/tasks", { ...contract, wait_seconds: 20 });
  expect(body, JSON.stringify(body)).toMatchObject({ status: "need_input" });
}

export const teach = (to: Member, task_id: string, steps: readonly Step[]): Promise<Answer> =>
  to.post("/v1/teach", { task_id, steps: [...steps, CHECK] });

/** The task once it has ended or waits, asked of this server. */
export async function settled(at: Member, task_id: string, seconds = 30): Promise<Answer["body"]> {
  const { body } = await at.get(`/v1/tasks/${task_id}?wait_seconds=${seconds}`);
  return body;
}
