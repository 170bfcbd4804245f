// Reads image files whose text is known, and lists the files that they copy.
import { textAt } from "../../../interpreter/redirects.ts";
import type { State } from "../../../interpreter/state.ts";
import { absolute } from "../../../paths.ts";
import { optionValues, parseOptions, words } from "../../../words/options.ts";
import { globbed } from "../../../words/symbols.ts";
import type { Applied, AppliesRule } from "../../record.ts";
import { dockerCommand } from "./command.ts";

export const BUILD = {
  short: "ftm",
  long: words("file tag build-arg target platform label network cache-from cache-to output secret ssh builder iidfile"),
};

/** `podman build -v /:/host .`: what the image file runs sees the host. */
export const BUILT_WITH_MOUNT: Applied = {
  when: /^(?:image )?(?:bud|build)\s(?:.*\s)?(?:-v|--volume)/,
  options: "f file",
  names: "Containerfile Dockerfile",
};

/** Lists the Dockerfile of an image build and the files that it copies. */
export const builtFrom: AppliesRule = (argv, state) => {
  const { verb, args } = dockerCommand(argv);
  if (!/^(?:build|image build|builder build|buildx build)$/.test(verb)) return [];
  const parsed = parseOptions(args, BUILD);
  const context = parsed.operands.at(-1) ?? ".";
  if (context === "-" || /:\/\//.test(context)) return [];
  const file = optionValues(parsed, "f", "file").at(-1) ?? `${context}/Dockerfile`;
  return imageFiles(context, file, state);
};

export const knownTexts = (file: string, state: State): readonly string[] =>
  state.location.cwd.flatMap((cwd) => textAt(absolute(file, cwd), state) ?? []);

const imageFiles = (context: string, file: string, state: State): readonly string[] => [
  file,
  `${context}/.dockerignore`,
  ...knownTexts(file, state)
    .flatMap(copiedBy)
    .map((path) => `${context}/${path}`),
];

/** `COPY --chown=x a b /app/`: all but the last word; what comes from another stage or from the network is not here. */
function copiedBy(text: string): readonly string[] {
  return [...text.replace(/\\\r?\n/g, " ").matchAll(/^\s*(?:COPY|ADD)\s+(.+)$/gim)].flatMap(([, line = ""]) => {
    if (/(?:^|\s)--from=/.test(line)) return [];
    const list = /^\s*(?:--\S+\s+)*(\[.*\])\s*$/.exec(line)?.[1];
    const all = list === undefined ? words(line) : [...list.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
    const paths = all.filter((word) => !word.startsWith("--")).slice(0, -1);
    return paths.filter((path) => !/:\/\/|\$|^<</.test(path)).map((path) => globbed(path.replace(/^\/+/, "")));
  });
}
