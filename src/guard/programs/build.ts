// Programs that build, and the recipes that they run.
import { contentsOf } from "../interpreter/redirects.ts";
import { optionValue, parseOptions } from "../words/options.ts";
import { type EffectRule, type ProgramRecord, unlessDry } from "./record.ts";
import { linesOfTexts, runsTexts, type ShellTexts } from "./runs-texts.ts";

/** Lines after a tab in a makefile that the program wrote or reads from standard input. */
const recipes: ShellTexts = (args, state) => {
  const file = optionValue(
    parseOptions(args, { short: "fCjI", long: ["file", "makefile", "directory"] }),
    "f",
    "file",
    "makefile",
  );
  const texts = file === null ? [] : contentsOf(file, state);
  const evaluated = args.flatMap((arg) => (arg.startsWith("--eval=") ? [arg.slice("--eval=".length)] : []));
  return linesOfTexts([...texts, ...evaluated]).flatMap((line) =>
    line.startsWith("\t") ? [line.replace(/^\t[@+-]*/, "")] : [],
  );
};

/** A makefile may run programs while it is only read. */
const dryMake = unlessDry(
  "n just-print dry-run recon q question",
  { changes: "builds files" },
  "C f I j l o W directory file",
);

const makeEffect: EffectRule = (argv, state) => {
  const effect = dryMake(argv, state);
  return effect === "reads" ? "unknown" : effect;
};

const runsSystemCalls = runsTexts((args, state) =>
  [...args, ...(state.io.stdin ?? [])].flatMap((text) =>
    [...text.matchAll(/syscmd\([`'"]?([^)'"]*)/g)].map(([, found = ""]) => found),
  ),
);

export const BUILD: readonly ProgramRecord[] = [
  { names: "make gmake", runs: runsTexts(recipes), effect: makeEffect },
  { names: "m4", runs: runsSystemCalls },
  { names: "ninja cmake meson bazel gcc g++ cc clang rustc javac tsc", effect: { changes: "builds files" } },
];
