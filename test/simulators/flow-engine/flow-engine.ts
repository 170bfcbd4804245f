// A flow engine on loopback: accepts jobs over HTTP as the real one does, really runs the shipped flow's
// script for each under bun, and goes wrong in the ways that a test switches on (faults.ts). What a worker does
// with a job can be replaced (worker.ts). The jobs outlive a stop of the server; disposing of it ends them.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { envelopeOf, type Received, readBody } from "../../support/request-recorder.ts";
import { createFaults, type RequestKind } from "./faults.ts";
import { SCRIPT } from "./flow-job.ts";
import type { Job } from "./jobs.ts";
import { failFor, violationsIn } from "./published-api.ts";
import { answerTo, type Engine, routeOf } from "./routes.ts";
import { createWorkers, type Fate } from "./worker.ts";

const KINDS: readonly RequestKind[] = ["run", "poll", "job", "result", "cancel", "logs", "who", "version", "flow"];

export type FlowEngineOptions = {
  /** Any that is free without it. */
  readonly port?: number;
  readonly token?: string;
  /** Further tokens, and the kinds of request each is good for: for all others it gets a 403. */
  readonly scoped_tokens?: ReadonlyMap<string, readonly RequestKind[]>;
  readonly workspace?: string;
  /** The one flow it has. */
  readonly flow?: string;
  /** The tags that a job may be asked for with; any without it. */
  readonly custom_tags?: ReadonlySet<string>;
  /** The file of the flow's script; the shipped one without it. */
  readonly script?: string;
  /** What `$var:` and `$res:` in a job's arguments stand for, by path. */
  readonly variables?: ReadonlyMap<string, string>;
  readonly resources?: ReadonlyMap<string, unknown>;
  /** The environment of the worker group: every job gets it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: () => Date;
  /** A result of more bytes is left out of the view of its job. */
  readonly too_big?: number;
};

/** A request as it came; `body` is "" as long as it has not been read, and stays so when a fault came before. */
type Asked = Received & { readonly kind: RequestKind | "unknown" };

export type FlowEngine = Awaited<ReturnType<typeof startFlowEngine>>;

export async function startFlowEngine(options: FlowEngineOptions = {}) {
  const { token = "engine-token", workspace = "lab", flow = "f/orch/execute_task_steps" } = options;
  const { clock = () => new Date(), variables = new Map(), resources = new Map(), env = {} } = options;
  const jobs: Job[] = [];
  const requests: Asked[] = [];
  const violations: string[] = [];
  const faults = createFaults();
  let port = options.port ?? 0;
  let unknown_for = 0;
  const base_url = () => `http://127.0.0.1:${port}`;
  const workers = createWorkers({ clock, variables, resources, env, base_url, script: options.script });
  const tokens = new Map(
    [...(options.scoped_tokens ?? []), [token, KINDS] as const].map(([key, kinds]) => [key, new Set(kinds)]),
  );
  const engine: Engine = {
    workspace,
    flow,
    custom_tags: options.custom_tags ?? null,
    pushed_script: options.script ?? SCRIPT,
    tokens,
    jobs,
    workers,
    clock,
    too_big: options.too_big ?? 64_000,
    unknown_for: () => unknown_for,
  };
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void exchange({ engine, faults, requests, violations }, request, response);
  let server = await listen(serve, port);
  port = portOf(server);

  const job = (id: string): Job => {
    const found = jobs.find((one) => one.id === id);
    if (found === undefined) throw new Error(`the engine has no job ${id}`);
    return found;
  };
  return {
    url: base_url(),
    token,
    workspace,
    /** Every job that was accepted, oldest first; they go on changing. */
    jobs: jobs as readonly Readonly<Job>[],
    requests: requests as readonly Asked[],
    /** Requests and answers that are not as the engine's API is published. What is taken away does not fail the test. */
    violations,
    counts: () => ({
      accepted: jobs.length,
      run_requests: requests.filter(({ kind }) => kind === "run").length,
      processes: jobs.reduce((sum, { processes }) => sum + processes.length, 0),
    }),
    /** Switches a fault on for the next `times` requests of a kind, for ever without it; what it returns switches it off. */
    fault: faults.on,
    /** What is done with the next `times` jobs that start, in place of running the script; it is switched off likewise. */
    give: workers.give,
    hold: workers.hold,
    release: workers.release,
    /** Jobs that are accepted from now on are unknown to the first `lookups` requests that name them. */
    appearLate: (lookups: number): void => {
      unknown_for = lookups;
    },
    /** As somebody does in the engine's own pages. Resolves once the job is completed. */
    cancel: (id: string, by = "admin", reason = "no longer wanted") => workers.cancel(job(id), by, reason),
    killScript: (id: string) => workers.killScript(job(id)),
    /** The worker is lost, and the script with it. May be called again for a job that stayed running. */
    killWorker: (id: string, fate: Fate) => workers.killWorker(job(id), fate),
    /** The engine has never heard of the job, as after its database was restored; a script of it goes on. */
    forget: (id: string): void => {
      job(id).unknown_for = Number.POSITIVE_INFINITY;
    },
    /** The server alone: workers go on. */
    stop: () => close(server),
    /** On the same port, with the same jobs. */
    start: async (): Promise<void> => {
      server = await listen(serve, port);
    },
    [Symbol.asyncDispose]: async () => {
      await workers.close(jobs);
      await close(server);
      failFor(violations);
    },
  };
}

type Serving = {
  readonly engine: Engine;
  readonly faults: ReturnType<typeof createFaults>;
  readonly requests: Asked[];
  readonly violations: string[];
};

async function exchange(
  { engine, faults, requests, violations }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const envelope = envelopeOf(request);
  const kind: Asked["kind"] = routeOf(envelope.method, envelope.url.replace(/\?.*$/, ""))?.kind ?? "unknown";
  const asked = { ...envelope, kind, body: "" };
  requests.push(asked);
  const answer = async () => {
    asked.body = await readBody(request);
    const said = await answerTo(engine, asked, response);
    violations.push(...violationsIn({ ...asked, answer: said }));
    return said;
  };
  await faults.next(kind)({ response, answer });
}

async function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  port: number,
): Promise<Server> {
  const server = createServer(serve).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
