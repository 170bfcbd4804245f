// What docker, compose and other tools for containers do to the world. What `exec` and `run` start arrives as a command of
// its own.
import { optionValue, parseOptions } from "../words/options.ts";
import { COMPOSE, dockerCommand } from "./docker-command.ts";
import { type EffectRule, isFile, options, type VerbRules, verbs } from "./record.ts";

const CONTAINERS = "changes containers, images or volumes";

const WRITES = "writes files";

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

export const dockerEffect: EffectRule = (argv, state) => {
  const { verb, args } = dockerCommand(argv);
  if (verb.startsWith("compose ") && isRehearsed(argv)) return "reads";
  return docker(["docker", ...verb.split(" ").filter((word) => word !== ""), ...args], state);
};

export const crictl: EffectRule = verbs(
  CONTAINERS,
  "ps pods images img inspect inspecti inspectp logs stats statsp info version imagefsinfo events",
  "create run runp start stop stopp rm rmp rmi pull update",
  { valued: "-r --runtime-endpoint -i --image-endpoint -t --timeout -c --config" },
);

export const skopeo: EffectRule = verbs(CONTAINERS, "inspect list-tags", "copy delete sync login logout");
