// Follows docker and its kind: what `run` and `exec` start, what their verbs do to the world, and `system prune` of everything
// without a filter.
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { deeper, entered, fork, homesOf, type Mount, type State } from "../../interpreter/state.ts";
import {
  has,
  type OptionTable,
  optionValue,
  optionValues,
  type Parsed,
  parseOptions,
  words,
} from "../../words/options.ts";
import { ABSENT, isOpen, isUnknown, UNKNOWN } from "../../words/symbols.ts";
import type { BlockRule, Consequences, EffectRule, ProgramRecord, StayRule, WordsRule } from "../record.ts";
import { COMPLETIONS, isFile, options, type VerbRules, verbs, WRITES } from "../rules/effects.ts";
import { bound, containerState, mountsIn, NAMELESS, remember } from "../rules/elsewhere.ts";
import { ANY, type Args, fits, OPERAND, PATH_OR_NAME } from "../rules/select.ts";
import { COMPOSE, composeCommand, dockerCommand, dockerResources, wordsOfDocker } from "./docker/command.ts";
import { composedFrom, composeFiles, runServices, unfollowed } from "./docker/compose-files.ts";
import { judgeAccess, rememberBuilt } from "./docker/host-access.ts";
import { BUILT_WITH_MOUNT, builtFrom } from "./docker/image-files.ts";

const INSPECTED = /^(\s|\{\{\s*(len [.\w]+|\.RestartCount|\.State\.(ExitCode|Pid|Health\.FailingStreak))\s*\}\})+$/;

/** `docker inspect -f '{{.RestartCount}}' web`. */
function inspectsNumbers([first = "", ...rest]: Args): boolean {
  const isLong = /^(container|image)$/.test(first);
  const valued = { "-f": INSPECTED, "--format": INSPECTED };
  const isInspect = (isLong ? rest[0] : first) === "inspect";
  return isInspect && fits(isLong ? rest.slice(1) : rest, { valued, operands: OPERAND }, Object.keys(valued));
}

/** What runs in the container may reach any host. */
const CONTAINERS_SEND = /\b(?:run|exec|push|login|logout)\b/;

const dockerStays: StayRule = (argv, why, reachesHost) =>
  !reachesHost && why !== "" && !argv.includes("--push") && !CONTAINERS_SEND.test(dockerCommand(argv).verb);

const podNamed: WordsRule = ([, verb = "", ...rest]) =>
  /^(?:stop|rm|exec|logs|start)p?$/.test(verb) ? parseOptions(rest).operands.slice(0, 1) : [];

const EXEC: OptionTable = { short: "euw", long: ["env", "env-file", "user", "workdir", "detach-keys", "index"] };

const RUN_FLAGS = new Set(
  words(
    "detach interactive tty rm init privileged read-only publish-all no-healthcheck oom-kill-disable quiet help no-deps service-ports use-aliases build remove-orphans replace",
  ),
);

/** Every long option of `run` that is not a plain flag takes a value. */
function runTable(args: readonly string[]): OptionTable {
  const long = args
    .filter((arg) => arg.startsWith("--"))
    .map((arg) => arg.slice(2))
    .filter((name) => !RUN_FLAGS.has(name));
  return { short: "aceghlmpuvw", long };
}

/** `docker run -d nginx` and `docker create nginx` print the identifier of what they made. */
function printsIds(words: readonly string[]): boolean {
  const { verb, args } = dockerCommand(["docker", ...words]);
  if (/^(create|(volume|network) create)$/.test(verb)) return true;
  return verb === "run" && has(parseOptions(args, runTable(args), false), "d", "detach");
}

function mountsOf(parsed: Parsed, state: State): readonly Mount[] {
  return parsed.options.flatMap(({ name, value }) => {
    if (value === null) return [];
    if (name === "v" || name === "volume") {
      const [host = "", inside] = value.split(":");
      return inside === undefined ? [] : bound(host, inside, state);
    }
    if (name === "volumes-from") return state.io.containers.get(value.replace(/:.*$/, "")) ?? [];
    return name === "mount" ? bindOf(value, state) : [];
  });
}

function bindOf(value: string, state: State): readonly Mount[] {
  const fields = new Map(value.split(",").map((field) => [field.split("=")[0] ?? "", field.split("=")[1] ?? ""]));
  const host = fields.get("source") ?? fields.get("src");
  const inside = fields.get("target") ?? fields.get("dst") ?? fields.get("destination");
  return host === undefined || inside === undefined ? [] : bound(host, inside, state);
}

const NAMES_VOLUME = { short: "od", long: ["opt", "driver", "label", "name"] };

/** `docker volume create -o type=none -o o=bind -o device=/ everything`. */
function nameVolume(args: readonly string[], state: State): Output {
  const parsed = parseOptions(args, NAMES_VOLUME);
  const device = optionValues(parsed, "o", "opt").find((value) => value?.startsWith("device=") === true);
  const name = optionValue(parsed, "name") ?? parsed.operands[0];
  if (device !== undefined && device !== null && name !== undefined)
    state.io.volumes = entered(state.io.volumes, name, device.slice("device=".length));
  return [UNKNOWN];
}

/**
 * What `docker run` and `exec` start: the command inside, judged on the paths inside and on what is mounted there. Containers are
 * remembered with their mounts, so that a later command in one of them is judged on them too.
 */
const runContainer: Program = (argv, state, machine) => {
  const { verb, args } = dockerCommand(argv);
  const [last = ""] = verb.split(" ").slice(-1);
  if (last === "unshare") return args.length === 0 ? [UNKNOWN] : machine.runArgv(args, fork(state));
  if (verb === "volume create") return nameVolume(args, state);
  if (verb === "rename") {
    const [from = "", to = ""] = parseOptions(args).operands;
    remember(to, state.io.containers.get(from) ?? [], state);
    return [UNKNOWN];
  }
  if (verb === "machine" && args[0] === "ssh") return runInMachine(args.slice(1), state, machine);
  rememberBuilt(argv, state, machine);
  if (verb.startsWith("compose ")) runServices(argv, last, state, machine);
  if (last !== "run" && last !== "exec" && last !== "create") return [UNKNOWN];
  return last === "exec" ? runWithin(args, state, machine) : runImage(argv, state, machine);
};

/** `podman machine ssh [NAME] COMMAND`: the first word may be either. */
function runInMachine(args: readonly string[], state: State, machine: Machine): Output {
  const { operands } = parseOptions(args, { short: "", long: ["username"] }, false);
  const command = machine.programs.isProgram(operands[0]?.split(" ", 1)[0] ?? "", state) ? operands : operands.slice(1);
  const inner = deeper(state, { location: { cwd: homesOf(state), here: false }, io: { stdin: null } });
  return command.length === 0 ? [UNKNOWN] : machine.runText(command.join(" "), inner);
}

/** `docker exec name command`. */
function runWithin(args: readonly string[], state: State, machine: Machine): Output {
  const parsed = parseOptions(args, EXEC, false);
  const [name = "", ...command] = parsed.operands;
  return inContainer({ name, command, parsed, mounts: mountsIn(name, state) }, state, machine);
}

function runImage(argv: readonly string[], state: State, machine: Machine): Output {
  const { verb, args } = dockerCommand(argv);
  const parsed = parseOptions(args, runTable(args), false);
  const entrypoint = optionValue(parsed, "entrypoint");
  const [image = "", ...words] = parsed.operands;
  const command = [...(entrypoint === null ? [] : [entrypoint]), ...words];
  const service = verb === "compose run" ? mountsIn(image, state) : [];
  const mounts = [...service, ...mountsOf(parsed, state)];
  const name = optionValue(parsed, "name");
  remember(name, mounts, state);
  judgeAccess({ argv, image, command, parsed, mounts }, state, machine);
  const inside = { name: name ?? NAMELESS, parsed, mounts };
  const program = programOf(image);
  // What is no program is a word for the program of the image.
  if (entrypoint === null && isKnown(program, words[0], state, machine))
    inContainer({ ...inside, command: [program, ...words] }, state, machine.provedOnly());
  return inContainer({ ...inside, command }, state, machine);
}

/** The entrypoint of `docker:cli` and of `alpine/git` is named as the image is. */
const programOf = (image: string): string =>
  image
    .replace(/@.*$/, "")
    .replace(/:[^/]*$/, "")
    .replace(/^.*\//, "");

const isKnown = (program: string, first: string | undefined, state: State, { programs }: Machine): boolean =>
  first !== undefined && !isOpen(program) && programs.isProgram(program, state) && !programs.isProgram(first, state);

type InContainer = {
  readonly name: string;
  readonly command: readonly string[];
  readonly parsed: Parsed;
  readonly mounts: readonly Mount[];
};

function inContainer({ name, command, parsed, mounts }: InContainer, state: State, machine: Machine): Output {
  // Words that are not set are none.
  if (command.every((word) => word === "" || word === ABSENT)) return [UNKNOWN];
  const inner = containerState(state, mounts, optionValue(parsed, "w", "workdir"), name);
  const output = machine.runArgv(command, inner);
  if (inner.io.files.size > 0 && name !== NAMELESS)
    state.io.others = entered(state.io.others, `container ${name}`, inner.io.files);
  return output;
}

const CONTAINERS = "changes containers, images or volumes";

/** `docker cp web:/etc/hosts -` prints an archive. */
const copy: EffectRule = (argv) => (argv.at(-1) === "-" ? "reads" : { changes: WRITES });

/** To standard output, unless a file is named. */
const printed: EffectRule = ([, ...args]) => {
  const target = optionValue(parseOptions(args, { short: "of", long: ["output"] }), "o", "output");
  return isFile(target) ? { changes: WRITES } : "reads";
};

const group = (reading: string, change: string, rules: VerbRules = []): EffectRule =>
  verbs(CONTAINERS, reading, change, { rules });

const ROTATES = options({ why: CONTAINERS, changes: "rotate" });

const compose: EffectRule = group(
  "ps ls logs top config convert images port version events stats volumes exec",
  `up down start stop restart kill rm pull push build create run pause unpause cp scale watch publish commit export attach
  bridge`,
  [
    ["config convert", printed],
    [
      "up down create start stop restart kill rm pull pause unpause scale",
      options({ dry: "dry-run", otherwise: { changes: CONTAINERS } }),
    ],
    ["wait", options({ why: CONTAINERS, changes: "down-project" })],
  ],
);

const docker: EffectRule = verbs(
  CONTAINERS,
  "ps ls list images logs inspect top stats events port diff info version search history exec wait",
  `run create start stop restart kill rm rmi pull push build load import commit rename update pause unpause tag untag
    login logout init cleanup umount unmount rollback deploy prune`,
  {
    rules: [
      ["cp", copy],
      ["save export", printed],
      [
        "image",
        group(
          "ls list inspect history tree exists search",
          "build import load pull push rm remove prune tag untag sign scp",
          [["save", printed]],
        ),
      ],
      ["volume", group("ls list inspect exists", "create rm remove prune update import reload mount unmount")],
      ["network", group("ls list inspect exists", "create rm remove prune connect disconnect reload update")],
      [
        "system",
        group("df info events check", "prune reset migrate renumber", [
          ["connection", group("ls list", "add rm remove default rename")],
        ]),
      ],
      ["builder", group("", "build prune")],
      [
        "buildx",
        group("ls du version", "build bake create rm use stop prune install uninstall dial-stdio", [
          ["inspect", options({ why: CONTAINERS, changes: "bootstrap" })],
          ["imagetools", group("inspect", "create")],
          ["history", group("ls logs inspect", "rm import export open")],
        ]),
      ],
      ["context", group("ls list inspect show", "create update use rm remove import export")],
      ["stack", group("ls list ps services config", "deploy up rm remove down")],
      ["service", group("ls list ps inspect logs", "create update scale rollback rm remove")],
      ["node", group("ls list ps inspect", "update promote demote rm remove")],
      ["swarm", group("", "init join leave update unlock", [["join-token unlock-key ca", ROTATES]])],
      ["secret config", group("ls list inspect exists", "create rm remove")],
      ["checkpoint", group("ls list", "create rm")],
      ["trust", group("inspect view", "sign revoke", [["key signer", group("", "generate load add remove")]])],
      [
        "scout",
        group("quickview qv cves recommendations compare version sbom policy", "enroll repo push attest cache watch"),
      ],
      ["mount", options({ why: CONTAINERS, operands: 0, changes: "a all" })],
      ["healthcheck", group("", "run")],
      ["generate", group("", "", [["systemd kube spec", options({ why: WRITES, changes: "f files filename" })]])],
      ["plugin", group("ls list inspect", "install enable disable rm remove set upgrade push create")],
      ["manifest", group("inspect exists", "create annotate push rm add remove")],
      [
        "pod",
        group(
          "ps ls list inspect logs stats top exists",
          "create rm start stop restart kill pause unpause prune clone",
        ),
      ],
      ["machine", group("ls list inspect info", "init start stop rm set reset os ssh cp")],
      ["auto-update", options({ dry: "dry-run", otherwise: { changes: CONTAINERS } })],
      ["play kube", group("", "kube play down apply", [["generate", printed]])],
      ["compose", compose],
    ],
  },
);

/** `docker compose --dry-run up`: the option comes before the verb. */
const isRehearsed = (argv: readonly string[]): boolean =>
  parseOptions(argv.slice(argv.indexOf("compose") + 1), COMPOSE, false).options.some(
    ({ name, value }) => name === "dry-run" && value !== "false",
  );

/**
 * What docker, compose and other tools for containers do to the world. What `exec` and `run` start arrives as a command of its
 * own.
 */
const dockerEffect: EffectRule = (argv, state) => {
  const { verb, args } = dockerCommand(argv);
  if (verb.startsWith("compose ") && isRehearsed(argv)) return "reads";
  return docker(["docker", ...verb.split(" ").filter((word) => word !== ""), ...args], state);
};

const crictl: EffectRule = verbs(
  CONTAINERS,
  "ps pods images img inspect inspecti inspectp logs stats statsp info version imagefsinfo events",
  "create run runp start stop stopp rm rmp rmi pull update",
  { valued: "r runtime-endpoint i image-endpoint t timeout c config" },
);

const skopeo: EffectRule = verbs(CONTAINERS, "inspect list-tags", "copy delete sync login logout");

const FALSE = new Set(["false", "0", "f", "F", "FALSE", "False"]);

/** `-a`, `-fa`, `-a=true`, `--all`, `--all=true`; the last one counts. A value belongs to the last letter of a cluster. */
function isAll(args: readonly string[]): boolean {
  let all = false;
  for (const arg of args) {
    const [, long, letters = "", value] = /^-(?:-(all)|([a-zA-Z]*))(?:=(.*))?$/.exec(arg) ?? [];
    if (long !== undefined || (letters.endsWith("a") && value !== undefined)) all = !FALSE.has(value ?? "true");
    else if (letters.includes("a")) all = true;
  }
  return all;
}

const judgePrune: BlockRule = (argv, _state, report) => {
  const { verb, args } = dockerCommand(argv);
  if (verb !== "system prune") {
    // An unknown option in front may take the next word as its value.
    const prunes = argv.some((word, at) => word === "system" && argv[at + 1] === "prune");
    if (
      (/^(?!compose )/.test(verb) && isUnknown(verb)) ||
      (prunes && argv.some((word) => /^-/.test(word) && isOpen(word)))
    )
      report("ask", "dyn.operand", "the subcommand cannot be determined from the text; write it out", argv);
    return;
  }
  const { options, operands } = parseOptions(args, { short: "", long: ["filter"] });
  const filtered = options.some(({ name, value }) => name === "filter" && value !== null && value !== "");
  const help = options.some(({ name, value }) => (name === "help" || name === "h") && !FALSE.has(value ?? "true"));
  if (filtered || help) return;
  // The CLI refuses words that are no options, so such a line prunes nothing; an unknown word may be empty.
  if (operands.some((word) => !isUnknown(word) && word !== "")) return;
  if (isAll(args)) {
    const reason = "removes every unused image, container and network; add a --filter, or prune one kind by name";
    report("block", "docker.prune_all", reason, argv);
  } else if (args.some(isOpen)) {
    report("ask", "dyn.operand", "the options of this prune cannot be determined from the text; write them out", argv);
  }
};

const ENGINE = {
  runs: runContainer,
  files: composeFiles,
  effect: dockerEffect,
  alwaysBlocked: judgePrune,
  suspectedInWords: true,
} as const;

const dockerNumbers: NonNullable<ProgramRecord["numbers"]> = (args) => inspectsNumbers(args) || printsIds(args);

const DOCKER_CONSEQUENCES: Consequences = {
  restarts_service: [
    /^(?:restart|stop|kill|pause|compose (?:restart|stop|kill|down|pause)|pod (?:restart|stop|kill|pause|rm)|service (?:rollback|rm|remove)|stack (?:rm|remove|down)|swarm leave|machine (?:stop|rm))(?:\s|$)/,
    /^(?:rm|remove)\s(?:.*\s)?(?:-[a-z]*f[a-z]*|--force)(?:\s|$)|^compose rm\s(?:.*\s)?(?:-[a-z]*s[a-z]*|--stop)(?:\s|$)|^compose up\s(?:.*\s)?--(?:force-recreate|always-recreate-deps)(?:\s|$)|^service update\s(?:.*\s)?--force(?:\s|$)|^(?:service|compose) scale\s.*=0(?:\s|$)/,
  ],
  // Without `-a` only what has no name is pruned.
  deletes_data: [
    /^(?:(?:volume|image) (?:rm|remove)|(?:(?:volume|container|system) )?prune|rmi|(?:secret|config) (?:rm|remove)|system reset|machine (?:rm|reset))(?:\s|$)/,
    /^(?:image|builder|buildx|build) prune\s(?:.*\s)?(?:-[a-z]{0,4}a[a-z]{0,4}|--all)(?=\s|=true|$)/,
    /^(?:rm|remove)\s(?:.*\s)?(?:-[a-z]*v[a-z]*|--volumes)(?:\s|$)|^compose (?:down|rm)\s(?:.*\s)?(?:-[a-z]*v[a-z]*|--volumes|--rmi[= ]\w+)(?:\s|$)/,
  ],
  changes_network: /^network (?:create|rm|remove|prune|connect|disconnect|update|reload)(?:\s|$)/,
};

const PODMAN_HOSTS: NonNullable<ProgramRecord["hosts"]> = {
  options: "H host c context",
  valued: "l log-level config",
  stops: true,
};

const DOCKER_WHEN = /(?:^|\s)(?:build|bake|run|exec|create|deploy|play|compose|import)(?:\s|$)/;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "docker",
    ...ENGINE,
    suspected: 3,
    numbers: dockerNumbers,
    printsSetup: COMPLETIONS,
    consequences: DOCKER_CONSEQUENCES,
    hosts: { options: "H host c context", valued: "l log-level config", stops: true, variable: "DOCKER_HOST" },
    applies: [
      {
        when: DOCKER_WHEN,
        options: "env-file c compose-file label-file cidfile seccomp",
        input: "all",
      },
      { when: /(?:^|\s)bake(?:\s|$)/, options: "f file", names: "docker-bake.hcl docker-bake.json" },
      { when: /^(?:config|secret) create\s/, skip: 2, operands: PATH_OR_NAME, input: "all" },
      { when: /(?:^|\s)compose\s/, options: "f file", names: ".env" },
      builtFrom,
      composedFrom,
    ],
    verbOf: wordsOfDocker,
    resources: dockerResources,
    unfollowed: unfollowed,
    fetches: "with cp",
    here: dockerStays,
  },
  {
    names: "podman",
    ...ENGINE,
    suspected: 3,
    numbers: dockerNumbers,
    printsSetup: COMPLETIONS,
    consequences: DOCKER_CONSEQUENCES,
    hosts: PODMAN_HOSTS,
    applies: [
      {
        when: DOCKER_WHEN,
        options: "env-file c compose-file label-file cidfile seccomp",
        input: "all",
      },
      { when: /(?:^|\s)bake(?:\s|$)/, options: "f file", names: "docker-bake.hcl docker-bake.json" },
      { when: /^(?:config|secret) create\s/, skip: 2, operands: PATH_OR_NAME, input: "all" },
      { when: /(?:^|\s)compose\s/, options: "f file", names: ".env" },
      { when: /^(?:kube play|play kube)\s/, skip: 2, operands: ANY },
      builtFrom,
      composedFrom,
    ],
    obeys: BUILT_WITH_MOUNT,
    verbOf: wordsOfDocker,
    resources: dockerResources,
    unfollowed: unfollowed,
    fetches: "with cp",
    here: dockerStays,
  },
  {
    names: "nerdctl",
    ...ENGINE,
    suspected: 4,
    consequences: DOCKER_CONSEQUENCES,
    hosts: PODMAN_HOSTS,
    applies: [
      {
        when: DOCKER_WHEN,
        options: "env-file c compose-file label-file cidfile seccomp",
        input: "all",
      },
      { when: /(?:^|\s)bake(?:\s|$)/, options: "f file", names: "docker-bake.hcl docker-bake.json" },
      { when: /(?:^|\s)compose\s/, options: "f file", names: ".env" },
      builtFrom,
      composedFrom,
    ],
    verbOf: wordsOfDocker,
    resources: dockerResources,
    unfollowed: unfollowed,
    here: dockerStays,
  },
  {
    names: "docker-compose podman-compose",
    runs: (argv, ...rest) => runContainer(composeCommand(argv), ...rest),
    files: (args, state) => composeFiles(["compose", ...args], state),
    effect: (argv, state) => dockerEffect(composeCommand(argv), state),
    consequences: DOCKER_CONSEQUENCES,
    applies: [
      { options: "f file env-file", names: ".env" },
      (argv, state) => composedFrom(composeCommand(argv), state),
    ],
    verbOf: (argv) => wordsOfDocker(composeCommand(argv)),
    resources: (argv) => dockerResources(composeCommand(argv)),
    unfollowed: (argv, state) => unfollowed(composeCommand(argv), state),
    fetches: "with cp",
    here: dockerStays,
  },
  { names: "docker-machine", printsSetup: "env" },
  {
    names: "crictl",
    effect: crictl,
    consequences: { restarts_service: /^(?:stop|stopp|rm|rmp)(?:\s|$)/, deletes_data: /^rmi(?:\s|$)/ },
    applies: {
      when: /^(?:run|runp|create|job (?:run|plan)|plan)(?:\s|$)/,
      operands: /\.(?:nomad|hcl|json|ya?ml)$/,
      input: "all",
    },
    resources: podNamed,
  },
  { names: "skopeo", effect: skopeo },
  { names: "dive ctop lazydocker", effect: "reads" },
  { names: "crane", valued: "platform", looks: "digest, ls, manifest, config, catalog, validate" },
  { names: "regctl", looks: "image digest|manifest|inspect|config|ratelimit, tag ls, repo ls, manifest get|head|diff" },
  {
    names: "ctr",
    valued: "n namespace a address",
    looks: `containers|container|c ls|list|info, images|image|i ls|list|check, tasks|task|t ls|list|ps|metrics,
    namespaces|namespace|ns ls|list, snapshots|snapshot ls|list|tree|usage|info, content ls, plugins ls|list, events, info`,
  },
  {
    names: "buildah",
    looks: "images, containers, ps, ls, inspect, info, manifest inspect|exists",
    applies: { when: /^(?:bud|build)(?:\s|$)/, options: "f file", names: "Containerfile Dockerfile" },
    obeys: BUILT_WITH_MOUNT,
  },
  { names: "nerdctl-compose", resources: (argv) => dockerResources(composeCommand(argv)) },
];
