// Whether the servers that share the database have addresses, and can be reached there from here: what their steps write is shown by the
// others then (D-395).
import { z } from "zod";
import type { ServerDetails } from "../domain/server.ts";
import { type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";
import { getJson } from "./get-json.ts";

type Reached = { readonly found: readonly string[]; readonly fix: readonly string[] };

const Health = z.object({ status: z.literal("ok") });

/** Nothing where no server has an address: then it is not in use. */
export async function reachServers(servers: readonly ServerDetails[]): Promise<Reached> {
  const live = servers.filter(({ state }) => state === "alive" || state === "draining");
  if (live.length < 2 || live.every(({ url }) => url === null)) return { found: [], fix: [] };
  const looks = live.filter((one) => !one.this).map(async (one) => ({ ...one, fault: await faultAt(one) }));
  const failed = (await Promise.all(looks)).flatMap(({ name, url, fault }) =>
    fault === null ? [] : [{ name, url, fault }],
  );
  const silent = live.filter(({ url }) => url === null).map(({ name }) => name);
  return {
    found: [
      ...failed.map(({ name, url, fault }) => `${name} is not reached at ${url}: ${fault}`),
      ...(silent.length === 0 ? [] : [`the others do not see what steps write on ${silent.join(", ")}`]),
    ],
    fix: [
      ...failed.map(({ name }) => `Set ORCH_SERVER_URL of ${name} to an address that this server reaches.`),
      ...silent.map((name) => `Set ORCH_SERVER_URL of ${name}.`),
    ],
  };
}

/** As a server sees it that shares its database. */
export async function examineReach(servers: readonly ServerDetails[]): Promise<Diagnosis> {
  const { found, fix } = await reachServers(servers);
  if (found.length > 0) return fallsBack(found.join("\n"), fix.join("\n"));
  return servers.some(({ url }) => url !== null)
    ? works("what steps write on the other servers is read there")
    : off("what a step writes is seen on its own server alone: none has an address", "Set ORCH_SERVER_URL of each.");
}

async function faultAt({ url }: ServerDetails): Promise<string | null> {
  if (url === null) return null;
  const health = await getJson(`${url}/healthz`);
  if ("fault" in health) return health.fault;
  if (health.status === 421) return "it is not served there under this name";
  if (health.status !== 200 || !Health.safeParse(health.body).success)
    return `another program answers (HTTP ${health.status})`;
  return null;
}
