// compose.yaml and what it mounts, against the settings, the metrics and the files of this checkout. No container engine runs here.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CLIENT_SETTINGS } from "../../../src/config/other-settings.ts";
import { secretOf } from "../../../src/config/secret-files.ts";
import { variablesIn } from "../../../src/config/setting.ts";
import { SETTINGS } from "../../../src/config/settings.ts";
import { isToolServerVariable } from "../../../src/config/tool-servers.ts";
import { instrumentsIn } from "../../../src/metrics/metrics.ts";
import { ROOT, textOf } from "../architecture/source-files.ts";

const Service = z.object({
  profiles: z.array(z.string()).default([]),
  image: z.string(),
  restart: z.string(),
  build: z
    .union([
      z.string(),
      z.object({ context: z.string(), target: z.string().optional(), dockerfile: z.string().optional() }),
    ])
    .optional(),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  stop_grace_period: z.string().optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.object({})),
  volumes: z.record(z.string(), z.object({})),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

const compose = Compose.parse(parse(textOf("compose.yaml")));
const services = Object.entries(compose.services);
const KNOWN = [SETTINGS, CLIENT_SETTINGS].flatMap(variablesIn);

test("compose.yaml has the server and its database, and the rest by profile", () => {
  const profiles = Object.fromEntries(services.map(([name, { profiles }]) => [name, profiles.join()]));
  expect(profiles).toEqual({
    orch: "",
    postgres: "",
    notes: "try",
    ollama: "model",
    "ollama-init": "model",
    voice: "voice",
    prometheus: "watch",
    grafana: "watch",
  });
});

test("each service that stays has a health check, and each image that is fetched has a version", () => {
  for (const [name, { restart, build, healthcheck, image }] of services) {
    // The image of the voice server brings its own.
    if (restart !== "no" && name !== "voice") expect(healthcheck, name).toBeDefined();
    if (build === undefined) expect(image, name).toMatch(/^[a-z/]+:v?\d+[\w.-]*$/);
  }
  expect(compose.services["orch"]?.healthcheck?.test).toEqual(["CMD", "orch", "ready"]);
});

test("ports are published on loopback only, and the database on none", () => {
  const published = services.flatMap(([, { ports }]) => ports);
  expect(published).toHaveLength(2);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_]+:-\d+\}:\d+$/);
  expect(compose.services["postgres"]).toMatchObject({ ports: [], networks: ["back"] });
});

test("every variable of the server is a setting, and every secret is a file that its service has", () => {
  const { environment = {}, secrets = [] } = compose.services["orch"] ?? {};
  const unknown = Object.keys(environment).filter(
    (name) => !KNOWN.includes(name) && secretOf(name) === null && !isToolServerVariable(name),
  );
  expect(unknown).toEqual([]);
  expect(Object.keys(environment).filter((name) => secretOf(name) !== null)).toHaveLength(secrets.length);
  for (const [name, service] of services) {
    for (const secret of service.secrets) expect(Object.keys(compose.secrets), name).toContain(secret);
    const files = Object.values(service.environment).filter((value) => value.startsWith("/run/secrets/"));
    for (const file of files) expect(service.secrets, `${name}: ${file}`).toContain(file.replace("/run/secrets/", ""));
    // A value in the file would be in the history of the checkout.
    const bare = Object.entries(service.environment).filter(([key]) => /TOKEN$|PASSWORD$|SECRET$/.test(key));
    expect(bare, name).toEqual([]);
  }
});

test("no file with a secret is followed by git or copied into an image, and the README makes each", () => {
  const ignored = textOf(".gitignore").split("\n");
  const made = textOf("docs/deploy/README.md");
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    const folder = file.replace(/^\.\//, "").replace(/[^/]+$/, "");
    expect(ignored, name).toContain(folder);
    expect(made, name).toContain(name);
  }
  expect(textOf(".dockerignore").split("\n")).toEqual(expect.arrayContaining(["**/secrets", "**/.env", ".git"]));
});

test("every volume and network is declared, and every file that is mounted is in the checkout", () => {
  for (const [name, { volumes, networks }] of services) {
    for (const network of networks) expect(Object.keys(compose.networks), name).toContain(network);
    for (const [from = ""] of volumes.map((volume) => volume.split(":")))
      if (!from.startsWith("./")) expect(Object.keys(compose.volumes), name).toContain(from);
      else if (!from.startsWith("./voice/")) expect(existsSync(join(ROOT, from)), from).toBe(true);
  }
});

test("the server has longer to end than its steps have", () => {
  const drain = SETTINGS.drain_seconds.schema.parse(undefined);
  expect(Number.parseInt(compose.services["orch"]?.stop_grace_period ?? "", 10)).toBeGreaterThan(drain);
});

test("the dashboard asks for metrics that there are, of the source that Grafana is given", async () => {
  const registry = new Registry();
  instrumentsIn(registry);
  const known = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const { panels } = z
    .object({
      panels: z.array(
        z.object({
          title: z.string(),
          datasource: z.object({ uid: z.string() }),
          targets: z.array(z.object({ expr: z.string() })),
        }),
      ),
    })
    .parse(JSON.parse(textOf("docs/deploy/grafana/orch.json")));
  expect(panels.length).toBeGreaterThan(8);
  const { datasources } = parse(textOf("docs/deploy/grafana/provisioning.yaml"));
  for (const { title, datasource, targets } of panels) {
    expect(datasource.uid).toBe(datasources[0].uid);
    for (const [name] of targets.flatMap(({ expr }) => [...expr.matchAll(/orch_[a-z_]+/g)]))
      expect(known, title).toContain(name.replace(/_bucket$/, ""));
  }
  expect(parse(textOf("docs/deploy/prometheus.yaml")).scrape_configs[0]).toMatchObject({
    authorization: { credentials_file: "/run/secrets/orch_metrics_token" },
    static_configs: [{ targets: ["orch:3400"] }],
  });
});
