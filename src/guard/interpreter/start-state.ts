// Builds what is known when a command starts: the variables of its environment, and the world that the commands before it have
// left.
import { SOME } from "../words/symbols.ts";
import { DEFAULT_IFS, EMPTY, PATH, PLAIN_WORDS, type ShellContext, type State } from "./state.ts";

const userOf = ({ home }: ShellContext): string => home.slice(home.lastIndexOf("/") + 1);

type Variables = Pick<State["bindings"], "vars" | "exported">;

/** Tables are never changed in place, and one plan asks about many commands with the same variables. */
let latest: { readonly env: ShellContext["env"]; readonly home: string; readonly variables: Variables } | null = null;

function variablesOf(context: ShellContext): Variables {
  if (latest !== null && latest.env === context.env && latest.home === context.home) return latest.variables;
  const vars = new Map<string, readonly string[]>([
    ["IFS", [DEFAULT_IFS]],
    ["BASH", ["/bin/bash"]],
    ["SHELL", ["/bin/bash"]],
    ["PATH", [PATH]],
    ["HOME", [context.home]],
    ["USER", [userOf(context)]],
    ["LOGNAME", [userOf(context)]],
  ]);
  for (const name of PLAIN_WORDS) vars.set(name, [SOME]);
  for (const [name, value] of Object.entries(context.env)) vars.set(name, [value]);
  const variables = { vars, exported: new Set(vars.keys()) };
  latest = { env: context.env, home: context.home, variables };
  return variables;
}

/** An empty payload is in too many texts to be looked for. */
const payloadOf = ({ env: { ORCH_PAYLOAD = "" }, world }: ShellContext): State["io"]["payload"] => ({
  text: ORCH_PAYLOAD.length > 2 ? ORCH_PAYLOAD : "",
  isUnresolved: world?.isPayloadUnresolved ?? false,
});

/** What was written is newer than what was read before anything ran. */
const filesOf = ({ files, world }: ShellContext): State["io"]["files"] =>
  files === undefined
    ? (world?.files ?? EMPTY)
    : new Map([...[...files].map(([path, text]) => [path, [text]] as const), ...(world?.files ?? [])]);

export function initialState(context: ShellContext): State {
  const { vars, exported } = variablesOf(context);
  const { world } = context;
  const { copies = EMPTY, links = [], containers = EMPTY, volumes = EMPTY, others = EMPTY } = world ?? {};
  return {
    bindings: {
      vars,
      arrays: EMPTY,
      functions: EMPTY,
      aliases: EMPTY,
      references: EMPTY,
      attributes: EMPTY,
      gitAliases: world?.gitAliases ?? EMPTY,
      exported,
      inherited: null,
      sealed: true,
      configured: true,
    },
    io: {
      stdin: null,
      input: [],
      sources: [],
      reads: new Set(),
      files: filesOf(context),
      copies,
      links,
      containers,
      volumes,
      others,
      payload: payloadOf(context),
      checked: new Set(),
      readers: EMPTY,
    },
    location: { cwd: [context.cwd], start: [context.cwd], mounts: [], contained: false, here: true },
    shell: { name: "bash", last: "", posix: false, reading: null, recovering: false },
    frame: {
      positional: [[]],
      calls: [],
      found: EMPTY,
      locals: new Set(),
      concurrent: false,
      own: false,
      installed: false,
      file: null,
      scripts: [],
      depth: 0,
      launches: 0,
      rounds: 1,
      direct: false,
    },
  };
}
