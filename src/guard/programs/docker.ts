// docker and its kind, and `system prune` of everything without a filter.
import { parseOptions } from "../words/options.ts";
import { isOpen, isUnknown } from "../words/symbols.ts";
import { composeFiles } from "./compose-file.ts";
import { composeCommand, dockerCommand } from "./docker-command.ts";
import { crictl, dockerEffect, skopeo } from "./docker-effect.ts";
import { printsIds, runContainer } from "./docker-runs.ts";
import { inspectsNumbers } from "./prints-numbers.ts";
import { type BlockRule, COMPLETIONS, type ProgramRecord } from "./record.ts";

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
  suspected: "anywhere",
} as const;

export const DOCKER: readonly ProgramRecord[] = [
  {
    names: "docker podman",
    ...ENGINE,
    numbers: (args) => inspectsNumbers(args) || printsIds(args),
    printsSetup: COMPLETIONS,
  },
  { names: "nerdctl", ...ENGINE },
  {
    names: "docker-compose podman-compose",
    runs: (argv, ...rest) => runContainer(composeCommand(argv), ...rest),
    files: (args, state) => composeFiles(["compose", ...args], state),
    effect: (argv, state) => dockerEffect(composeCommand(argv), state),
  },
  { names: "docker-machine", printsSetup: "env" },
  { names: "crictl", effect: crictl },
  { names: "skopeo", effect: skopeo },
  { names: "dive ctop lazydocker", effect: "reads" },
];
