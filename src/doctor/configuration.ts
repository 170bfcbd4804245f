// Reads the environment as the server would, and reports every invalid and every unknown variable, with the known name that is
// most similar. Invalid variables are left out, so that the other checks can run.
import { type Config, type Env, readConfig, setVariables } from "../config/config.ts";
import { CLIENT_SETTINGS, STUDIO_SETTINGS } from "../config/other-settings.ts";
import { secretOf } from "../config/secret-files.ts";
import { variablesIn } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { isToolServerVariable, toolServerVariables } from "../config/tool-servers.ts";
import { machineZone } from "../config/values.ts";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { nearestName } from "../domain/unknown-fields.ts";
import { broken, type Diagnosis, fallsBack, works } from "./examination.ts";

/** `config` is read without the variables that `wrong` names. */
export type Configuration = {
  readonly config: Config;
  readonly environment: Env;
  readonly wrong: ReadonlySet<string>;
  readonly diagnosis: Diagnosis;
};

const KNOWN = [SETTINGS, CLIENT_SETTINGS, STUDIO_SETTINGS].flatMap(variablesIn);
const OURS = /^(ORCH|ROUTING|FLOWENGINE)_/;
const OF_FLOW_ENGINE = [...variablesIn(SETTINGS.flow_engine), "EXECUTION_BACKEND"];

export function readConfiguration(given: Env): Configuration {
  const environment = setVariables(given);
  const issues: FieldIssue[] = [];
  const zone = machineZone(given["TZ"]).fault;
  const wrong = new Set<string>();
  const left_out = new Set<string>();
  for (let left = environment; ; left = without(environment, left_out)) {
    const read = attempt(left);
    if (read.ok)
      return {
        config: read.config,
        environment: left,
        wrong,
        diagnosis: diagnose(issues, [...unknownVariables(left), ...(zone === null ? [] : [zone])]),
      };
    for (const issue of read.issues) {
      if (!wrong.has(issue.path)) issues.push(issue);
      for (const path of [issue.path, secretOf(issue.path) ?? issue.path]) wrong.add(path);
      left_out.add(issue.path);
      // A missing variable cannot be left out, but the variable that requires it can.
      if (issue.path === "ORCH_PUBLIC_HOST") for (const names of [wrong, left_out]) names.add("ORCH_HOST");
      if (issue.path.startsWith("FLOWENGINE_")) for (const name of OF_FLOW_ENGINE) left_out.add(name);
    }
  }
}

type Attempt = { ok: true; config: Config } | { ok: false; issues: readonly FieldIssue[] };

function attempt(environment: Env): Attempt {
  try {
    return { ok: true, config: readConfig(environment) };
  } catch (error) {
    if (error instanceof OrchError && error.issues.length > 0) return { ok: false, issues: error.issues };
    throw error;
  }
}

const without = (environment: Env, names: ReadonlySet<string>): Env =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)));

/** Unknown variables with a name like those of orch, each with the most similar known name. */
function unknownVariables(environment: Env): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (KNOWN.includes(name) || isToolServerVariable(name) || secretOf(name) !== null) return [];
    const [server] = /^MCP_.+(?=_)/.exec(name) ?? [];
    const known = server === undefined ? KNOWN : toolServerVariables(server.slice("MCP_".length));
    const near = nearestName(name, known, OURS.test(name) ? 3 : 2);
    if (near === null) return OURS.test(name) ? [`${name} is ignored: there is no such variable`] : [];
    return [`${name} is ignored: did you mean ${near}?`];
  });
}

function diagnose(issues: readonly FieldIssue[], ignored: readonly string[]): Diagnosis {
  const lines = [...issues.map(({ path, message }) => `${path} ${message}`), ...ignored];
  const found = lines.join("\n");
  if (issues.length > 0) return broken(found, "Correct these variables: orch does not start with them.");
  if (ignored.length > 0) return fallsBack(found, "Correct the variable, or unset it.");
  return works("every variable is valid");
}
