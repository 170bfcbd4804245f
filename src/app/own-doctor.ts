// Makes the checks of orch doctor for the running server, of itself. They start processes and ask models and tool servers, so an answer is
// given again for a while (D-358).
import type { Config } from "../config/config.ts";
import { readConfiguration } from "../doctor/configuration.ts";
import { broken, type Diagnosis, works } from "../doctor/examination.ts";
import { lookAround } from "../doctor/look-around.ts";
import { OrchError } from "../domain/errors.ts";
import type { ServerDiagnosis } from "../domain/server.ts";
import type { RecentAnswers } from "../metrics/metrics.ts";
import type { Models } from "../ollama/served-model.ts";
import type { Clock, ToolServers } from "../ports.ts";
import { rarely } from "../process/system.ts";
import type { Database } from "../store/database.ts";
import { readServers } from "../store/read-servers.ts";
import { databaseBytes } from "../store/sql.ts";
import type { Given } from "./given.ts";

type OwnDoctorParts = {
  readonly clock: Clock;
  readonly given: Given;
  readonly toolServers: Pick<ToolServers, "names" | "listTools">;
  readonly answers: Pick<RecentAnswers, "notice">;
  readonly models: Models;
};

/** Longer than the longest check, so that two looks are never under way at once. */
const AGAIN_MS = 10_000;

export function createOwnDoctor(
  config: Config,
  database: Database,
  parts: OwnDoctorParts,
): () => Promise<ServerDiagnosis> {
  const { clock, given, toolServers, answers, models } = parts;
  const { environment, skills, place, redaction } = given;
  const { describeServers } = readServers(database);
  return rarely(async () => {
    const bytes = await databaseBytes(database.client, database.provider).catch((error: unknown) => faultOf(error));
    const found = await lookAround({
      config,
      skills,
      toolServers,
      redact: redaction.redact,
      answers,
      models,
      docker_host: environment?.["DOCKER_HOST"],
      configuration: environment === undefined ? null : readConfiguration(environment).diagnosis,
      database: () => diagnose(database, bytes),
      servers: database.servers.are_many ? async () => (await describeServers()).servers : null,
    });
    const { provider: kind } = database;
    const size = typeof bytes === "number" ? bytes : null;
    return { server: place.name, checked_at: clock().toISOString(), ...found, database: { kind, bytes: size } };
  }, AGAIN_MS);
}

const NAMES = { sqlite: "SQLite", postgresql: "PostgreSQL" } as const;
const FIX = "Read the log of orch; it tries again by itself.";

async function diagnose(database: Database, bytes: number | Diagnosis): Promise<Diagnosis> {
  if (typeof bytes !== "number") return bytes;
  try {
    await database.confirmOwned();
    await database.ensureRoom();
    return works(`${NAMES[database.provider]}, in use by this server`);
  } catch (error) {
    return faultOf(error);
  }
}

const faultOf = (error: unknown): Diagnosis =>
  broken(
    error instanceof Error ? error.message : String(error),
    (error instanceof OrchError ? error.fix : null) ?? FIX,
  );
