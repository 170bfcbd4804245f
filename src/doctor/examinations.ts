// The checks that a running server makes of itself, and `orch doctor` from outside: by what they are about.
import type { Config } from "../config/config.ts";
import type { Models } from "../ollama/configured-models.ts";
import { examineArchive } from "./archive.ts";
import { patienceFor } from "./ask-routing.ts";
import { examineCheckLooks } from "./check-looks.ts";
import { examineApprover, examineDataDir, examineDisk, examineToken } from "./data-directory.ts";
import { type DoctorLook, NOTHING } from "./examination.ts";
import { examineAgentShell, examineBash, examineGuard, examineMachine, examineSandbox } from "./execution.ts";
import { examineAgentModel, examineRoutingModel, type RoutingLook } from "./models.ts";

export const ofFiles = (config: Config): DoctorLook[] => [
  { name: "data directory", needs: NOTHING, look: () => examineDataDir(config) },
  { name: "disk", needs: NOTHING, look: () => examineDisk(config) },
  { name: "token", needs: /^ORCH_TOKEN$/, look: () => examineToken(config) },
  ...archiveIn(config),
  { name: "approver token", needs: /^ORCH_APPROVER_TOKEN$/, look: () => examineApprover(config) },
];

const archiveIn = ({ archive_dir }: Config): DoctorLook[] =>
  archive_dir === null
    ? []
    : [{ name: "archive", needs: /^ORCH_ARCHIVE_DIR$/, look: () => examineArchive(archive_dir) }];

export const ofModels = (config: Config, models: Models, look: RoutingLook): DoctorLook[] => [
  {
    name: "routing model",
    needs: /^(ROUTING_|AGENT_(MODEL|URL|CONTEXT_TOKENS)$)/,
    look: () => examineRoutingModel(config, models, look),
    limit_ms: LOOK_MS + (look.ask === null ? 0 : 2 * patienceFor(config.routing_timeout_ms)),
  },
  {
    name: "agent model",
    needs: /^(AGENT|ROUTING)_(MODEL|URL|CONTEXT_TOKENS)$/,
    look: () => examineAgentModel(models),
    limit_ms: LOOK_MS,
  },
];

/** The list of models and the description of one, a few seconds each. */
const LOOK_MS = 8_000;

export const ofCommands = (config: Config, docker_host: string | undefined): DoctorLook[] => [
  { name: "guard", needs: NOTHING, look: examineGuard },
  { name: "bash", needs: NOTHING, look: examineBash },
  {
    name: "sandbox",
    needs: /^(ORCH_(SANDBOX|STEP_|APPROVER_TOKEN|ACCEPT_)|DATABASE_URL)/,
    look: () => examineSandbox(config),
  },
  { name: "agent shell", needs: NOTHING, look: () => examineAgentShell(config) },
  {
    name: "looks at checks",
    needs: /^(CHECK_LOOKS|BEFORE_LOOK|ORCH_SANDBOX|ORCH_STEP_.*)$/,
    look: () => examineCheckLooks(config),
  },
  { name: "surroundings", needs: NOTHING, look: () => examineMachine(docker_host) },
];
