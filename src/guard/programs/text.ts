// Text: programs that search, cut and reshape it.
import { options, READS, reads, UNSURE } from "./effect-rules.ts";
import { printsAnything, printsWord } from "./outputs.ts";
import type { ProgramRecord } from "./record.ts";

const WRITES = "writes files";

export const TEXT_TOOLS: readonly ProgramRecord[] = [
  {
    names: `zdiff zcmp expand unexpand column join look numfmt base32 gojq fx envsubst bc factor pr tsort ts
    locale cal ncal tput jo`,
    effect: reads,
  },
  { names: "jq expr", runs: printsAnything, effect: reads },
  { names: "wc uuidgen", runs: printsWord, effect: reads },
  { names: "shuf", effect: options({ why: WRITES, changes: "o output", valued: "n i o head-count" }) },
  { names: "iconv", effect: options({ why: WRITES, changes: "o output", valued: "f t o" }) },
  {
    names: "yq",
    runs: printsAnything,
    effect: options({
      why: WRITES,
      changes: "i inplace in-place split-exp",
      valued: "o p I output-format input-format",
    }),
  },
  { names: "xmllint", effect: options({ why: WRITES, changes: "o output", valued: "o xpath schema" }) },
  {
    names: "xmlstarlet",
    effect: ([, verb = "", ...args]) => (/^(sel|el|val)$/.test(verb) && !args.includes("-L") ? READS : UNSURE),
  },
];
