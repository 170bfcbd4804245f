// A registry of npm on loopback, to which the tests publish the package. What it does not have it asks the registry of npm's own
// configuration for; npm takes from its cache what `npm ci` has left there, and asks for the rest only.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { stringify } from "yaml";
import { freePort } from "./free-port.ts";

const { resolve } = createRequire(import.meta.url);
const VERDACCIO = join(dirname(resolve("verdaccio/package.json")), "bin/verdaccio");
const START_MS = 60_000;

const npmConfig = (name: string): string =>
  spawnSync("npm", ["config", "get", name], { encoding: "utf8" }).stdout.trim();

export type Registry = AsyncDisposable & {
  /** The environment of an npm that uses it, with an empty home. */
  readonly env: Readonly<Record<string, string>>;
  readonly publish: (directory: string) => void;
  /** The public registry says of a package that it has a shrinkwrap, and npm reads it then; this one says nothing by itself. */
  readonly sayShrinkwrap: (name: string, has: boolean) => void;
};

type Known = { readonly versions: Readonly<Record<string, { _hasShrinkwrap?: boolean }>> };

export async function startRegistry(directory: string): Promise<Registry> {
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(directory, "registry.yaml");
  const anyone = { access: "$all", publish: "$all", unpublish: "$all" };
  const settings = {
    storage: join(directory, "registry"),
    uplinks: { npm: { url: npmConfig("registry"), maxage: "60m" } },
    packages: { orch: anyone, "**": { access: "$all", proxy: "npm" } },
    log: { type: "stdout", format: "json", level: "error" },
    web: { enable: false },
    max_body_size: "100mb",
  };
  writeFileSync(config, stringify(settings));
  const child = spawn(process.execPath, [VERDACCIO, "--config", config, "--listen", address], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const home = join(directory, "home");
  mkdirSync(home);
  // npm publishes with a token only. The registry wants none.
  writeFileSync(join(home, ".npmrc"), `registry=http://${address}/\n//${address}/:_authToken=anyone\n`);
  const env = {
    HOME: home,
    npm_config_userconfig: join(home, ".npmrc"),
    npm_config_cache: npmConfig("cache"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
  };
  await answers(`http://${address}/-/ping`);
  return {
    env,
    publish: (from) => {
      const options = { cwd: from, env: { PATH: process.env["PATH"] ?? "", ...env }, encoding: "utf8" } as const;
      const { status, stderr } = spawnSync("npm", ["publish", "--loglevel=error"], options);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    },
    sayShrinkwrap: (name, has) => {
      const file = join(settings.storage, name, "package.json");
      const known: Known = JSON.parse(readFileSync(file, "utf8"));
      for (const version of Object.values(known.versions)) version._hasShrinkwrap = has;
      writeFileSync(file, JSON.stringify(known));
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

async function answers(url: string): Promise<void> {
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(200)) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok === true) return;
  }
  throw new Error(`the registry does not answer at ${url}`);
}
