// Live targets for the labelled checks, for the time of a run. Each begins before its goal is reached, or after, and can be
// moved from one to the other while checks look at it. README.md says what each goal is.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import type { FixtureName } from "./fixture-names.ts";
import { containersOf, type StackState } from "./fixtures/containers.ts";
import { startDockerEngine } from "./fixtures/docker-engine.ts";
import { type ServiceState, startDatabasePort, startHttpService } from "./fixtures/http-service.ts";
import * as places from "./fixtures/places.ts";

export type When = "before" | "after";

/** What a fixture adds to its empty directories. */
type Parts = {
  readonly target: Readonly<Record<string, string>>;
  /** Further names that a text may use as %name%. */
  readonly names?: Readonly<Record<string, string>>;
  readonly reach: () => void | Promise<void>;
  readonly close?: () => void | Promise<void>;
};

type Place = { readonly root: string; readonly state: string; readonly compose_dir: string; readonly when: When };

const httpService =
  (first: ServiceState) =>
  async ({ when }: Place): Promise<Parts> => {
    const service = await startHttpService(when === "after" ? "done" : first);
    const target = { service: "shop-api", url: service.url, port: String(service.port) };
    return { target, reach: () => service.become("done"), close: service.close };
  };

const stack =
  (first: StackState) =>
  async ({ state, compose_dir, when }: Place): Promise<Parts> => {
    let now: StackState = when === "after" ? "done" : first;
    places.writeCompose(compose_dir, when === "after" ? "2.4.0" : "2.3.1");
    const engine = await startDockerEngine(join(state, "docker.sock"), () => containersOf(now));
    const reach = () => {
      now = "done";
      places.writeCompose(compose_dir, "2.4.0");
    };
    return { target: { service: "storefront", compose_dir }, reach, close: engine.close };
  };

function checkout({ root, compose_dir, when }: Place): Parts {
  rmSync(compose_dir, { recursive: true });
  places.makeCheckout(root, compose_dir);
  const reach = () => places.updateCheckout(compose_dir);
  if (when === "after") reach();
  return { target: { service: "shop-page", compose_dir }, reach };
}

function release({ compose_dir, when }: Place): Parts {
  places.writeRelease(compose_dir, when === "after");
  return { target: { service: "shop", compose_dir }, reach: () => places.writeRelease(compose_dir, true) };
}

function unit({ state, when }: Place): Parts {
  const put = (isDone: boolean) => {
    places.writeUnit(state, { name: "billing", state: isDone ? "active" : "failed", exec: "/usr/bin/billing" });
    places.writeUnit(state, { name: "billing-old", state: isDone ? "inactive" : "active", exec: "/usr/bin/billing-1" });
  };
  put(when === "after");
  return { target: { service: "billing" }, reach: () => put(true) };
}

async function worker({ root, compose_dir, when }: Place): Promise<Parts> {
  const tag = randomBytes(2).toString("hex");
  const [fresh, old] = [`mailer-${tag}`, `courier-${tag}`];
  const run = async (name: string) => {
    const started = await places.startWorker(join(root, "programs"), name);
    places.write(join(compose_dir, "worker.pid"), `${started.pid}\n`);
    return started;
  };
  let running = await run(when === "after" ? fresh : old);
  const reach = async () => {
    await running.stop();
    running = await run(fresh);
  };
  return { target: { service: fresh, compose_dir }, names: { old }, reach, close: () => running.stop() };
}

function host({ state, when }: Place): Parts {
  places.writeHost(state, when === "after");
  return { target: { host: "edge1", service: "relay" }, reach: () => places.writeHost(state, true) };
}

async function hostDown({ state, when }: Place): Promise<Parts> {
  const port = join(state, "hosts", "edge1", "port");
  places.writeHost(state, when === "after");
  if (when === "before") places.write(port, `${await freePort()}\n`);
  const reach = () => {
    rmSync(port, { force: true });
    places.writeHost(state, true);
  };
  return { target: { host: "edge1", service: "relay" }, reach };
}

async function database({ when }: Place): Promise<Parts> {
  const { port, start, close } = await startDatabasePort(when === "after");
  return { target: { service: "ledger", host: "127.0.0.1", port: String(port) }, reach: start, close };
}

/** Only looked at: both states are the same. */
const machine = ({ compose_dir }: Place): Parts => {
  places.writeRelease(compose_dir, true);
  return { target: { service: "node", compose_dir }, reach: () => undefined };
};

const FIXTURES = {
  "web-down": httpService("down"),
  "web-old": httpService("old"),
  "web-starting": httpService("starting"),
  "stack-stopped": stack("stopped"),
  "stack-old": stack("old"),
  "stack-restarting": stack("restarting"),
  checkout,
  release,
  unit,
  worker,
  host,
  "host-down": hostDown,
  database,
  machine,
} satisfies Record<FixtureName, (place: Place) => Parts | Promise<Parts>>;

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

export async function startFixture(name: FixtureName, when: When, parent: string = tmpdir()) {
  const root = mkdtempSync(join(parent, "orch-proof-"));
  const [state, home, compose_dir, bin] = ["state", "home", "srv/shop", "bin"].map((path) => join(root, path)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [home, compose_dir]) mkdirSync(path, { recursive: true });
  places.writeState(state);
  places.writePrograms(bin, ["docker", "docker-compose", "systemctl", "journalctl", "ssh"]);
  const parts = await FIXTURES[name]({ root, state, compose_dir, when });
  const dispose = async () => {
    await parts.close?.();
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  };
  return {
    name,
    target: parts.target,
    home,
    /** The directory that comes first in PATH. */
    path: bin,
    /** Where a step of the target runs. */
    cwd: parts.target["compose_dir"] ?? home,
    /** The text of a row with the names of this run in it. */
    filled: (text: string): string =>
      Object.entries({ ...parts.target, ...parts.names }).reduce(
        (all, [key, value]) => all.replaceAll(`%${key}%`, value),
        text,
      ),
    reach: async () => await parts.reach(),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
