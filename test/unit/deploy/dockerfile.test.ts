// What the Dockerfile says, against the settings, the scripts and the files of this checkout.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/table/commands.ts";
import { variablesIn } from "../../../src/config/setting.ts";
import { SETTINGS } from "../../../src/config/settings.ts";
import { restsOf, stagesOf, wordsOf } from "../../support/dockerfile.ts";
import { ROOT } from "../architecture/source-files.ts";

const stages = stagesOf("Dockerfile");
const stageOf = (name: string) => {
  const found = stages.find((stage) => stage.name === name);
  if (found === undefined) throw new Error(`the Dockerfile has no stage ${name}`);
  return found;
};
const server = stageOf("server");

test("the image is the server where no stage is named, and that for Docker is built from it", () => {
  expect(stages.map(({ name, from }) => [name, from])).toEqual([
    ["package", "node:24-trixie-slim"],
    ["modules", "node:24-trixie-slim"],
    ["server", "node:24-trixie-slim"],
    ["worker-docker", "server"],
    ["last", "server"],
  ]);
});

test("the server has nothing of the stages before but its package, runs as an account of its own, and keeps its data in a volume", () => {
  expect(restsOf(server, "COPY")).toEqual(["--from=modules /opt/orch /opt/orch"]);
  expect(restsOf(server, "USER")).toEqual(["3400:3400"]);
  expect(restsOf(server, "VOLUME")).toEqual(["/var/lib/orch"]);
  expect(restsOf(server, "EXPOSE")).toEqual([String(SETTINGS.port.schema.parse(undefined))]);
});

test("what it starts with and how it is looked at are commands of orch", () => {
  const names = COMMANDS.map(({ name }) => name);
  const [entry = ""] = restsOf(server, "ENTRYPOINT");
  expect(wordsOf(entry)).toEqual(["/usr/bin/tini", "--", "orch"]);
  const [command = ""] = restsOf(server, "CMD");
  expect(names).toEqual(expect.arrayContaining(wordsOf(command)));
  const [, looked] = wordsOf(restsOf(server, "HEALTHCHECK")[0] ?? "");
  expect(names).toContain(looked);
});

test("each variable of the image is a setting", () => {
  const names = restsOf(server, "ENV").flatMap((rest) => rest.split(" ").map((pair) => pair.split("=")[0] ?? ""));
  expect(names.filter((name) => name !== "NODE_ENV" && !variablesIn(SETTINGS).includes(name))).toEqual([]);
});

test("what is copied from the checkout is there, or is what npm run dist writes", () => {
  const copied = restsOf(stageOf("modules"), "COPY").map((rest) => rest.split(" ")[1]?.replace("/build/", "") ?? "");
  expect(copied).toEqual(["dist/", "docs/deploy/prune-modules.sh"]);
  expect(existsSync(join(ROOT, copied[1] ?? ""))).toBe(true);
  expect(restsOf(stageOf("package"), "RUN")).toEqual([expect.stringMatching(/^npm ci .*&& npm run --silent dist /)]);
});

test("the image has the tools that back PostgreSQL up, of the version that compose runs", () => {
  // Debian 13 has PostgreSQL 17: pg_dump has to be at least of the version of its server.
  expect(server.from).toMatch(/trixie/);
  expect(restsOf(server, "RUN")[0]).toMatch(/\bpostgresql-client\b/);
  expect(readFileSync(join(ROOT, "compose.yaml"), "utf8")).toMatch(/image: postgres:17-/);
});
