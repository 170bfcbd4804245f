// The checks of `orch doctor` as a running server makes them of itself, with the parts that it uses: get_diagnosis. Its database it holds
// already, and opening the file anew would give its lock away. What other operations say is not said again.
import type { Config } from "../config/config.ts";
import type { ServerDetails } from "../domain/server.ts";
import { examineFlowEngine } from "../features/flow-engine/doctor.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import type { RecentAnswers } from "../metrics/metrics.ts";
import type { Models } from "../ollama/served-model.ts";
import type { ToolServers } from "../ports.ts";
import { type Diagnosis, type DoctorCheck, type DoctorLook, examine, NOTHING, redacted } from "./examination.ts";
import { ofCommands, ofFiles, ofModels } from "./examinations.ts";
import { diagnoseTools, examineReach, examineSkills, examineWebhook, listTools } from "./reach-servers.ts";

type Parts = {
  readonly config: Config;
  readonly docker_host: string | undefined;
  /** How the variables were read; null where the server was not started from an environment. */
  readonly configuration: Diagnosis | null;
  readonly database: () => Promise<Diagnosis>;
  /** Those that share the database; null where there is one. */
  readonly servers: (() => Promise<readonly ServerDetails[]>) | null;
  readonly skills: Pick<Skills, "intents" | "unusable">;
  readonly toolServers: Pick<ToolServers, "names" | "listTools">;
  readonly redact: (text: string) => string;
  readonly answers: Pick<RecentAnswers, "notice">;
  /** What questions and agents use, so that what is said of them is what is used. */
  readonly models: Models;
};

/** A description is for a human to recognize a tool by. */
const MOST_TEXT = 300;

export async function lookAround(parts: Parts) {
  const [checks, tool_servers] = await Promise.all([checksOf(parts), toolServersOf(parts)]);
  return { checks, tool_servers };
}

async function checksOf(parts: Parts) {
  const { config, docker_host, configuration, database, servers, skills, redact, answers, models } = parts;
  const areas = [
    ["server", [...known("configuration", configuration), ...ofFiles(config), ...ofService(config, database, skills)]],
    ["server", servers === null ? [] : [ofOthers(servers)]],
    ["models", ofModels(config, models, { ask: null, notice: async () => answers.notice() })],
    ["commands", [...ofCommands(config, docker_host), ofEngine(config)]],
  ] as const;
  const found = areas.map(async ([area, examinations]) =>
    (await examine(examinations)).map((check: DoctorCheck) => redacted({ ...check, area }, redact)),
  );
  return (await Promise.all(found)).flat();
}

const known = (name: string, found: Diagnosis | null): DoctorLook[] =>
  found === null ? [] : [{ name, needs: NOTHING, look: async () => found }];

const ofService = (config: Config, database: Parts["database"], skills: Parts["skills"]): DoctorLook[] => [
  { name: "database", needs: NOTHING, look: database },
  { name: "skills", needs: NOTHING, look: () => examineSkills(async () => skills) },
  { name: "webhook", needs: NOTHING, look: () => examineWebhook(config) },
];

const ofOthers = (servers: NonNullable<Parts["servers"]>): DoctorLook => ({
  name: "other servers",
  needs: NOTHING,
  look: async () => examineReach(await servers()),
});

const ofEngine = (config: Config): DoctorLook => ({
  name: "flow engine",
  needs: NOTHING,
  look: () => examineFlowEngine(config),
});

const toolServersOf = ({ toolServers, redact }: Parts) =>
  Promise.all(
    [...toolServers.names].map(async (name) => {
      const listed = await listTools(toolServers, name);
      const { state, found, fix } = redacted(diagnoseTools(name, listed), redact);
      const tools = ("fault" in listed ? [] : listed.tools).map((tool) => ({
        name: redact(tool.name),
        effect: tool.effect,
        description: redact(tool.description).slice(0, MOST_TEXT),
      }));
      return { name, state, found, fix, tools };
    }),
  );
