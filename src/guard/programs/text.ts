// Text: programs that search, cut and reshape it, show documentation or say things.
import { options, type ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";

const WRITES = "writes files";

export const TEXT_TOOLS: readonly ProgramRecord[] = [
  {
    names: `zdiff zcmp expand unexpand column join look numfmt base32 gojq fx envsubst bc factor pr tsort ts
    locale cal ncal tput jo`,
    effect: "reads",
  },
  { names: "jq expr", prints: "anything", effect: "reads" },
  { names: "wc uuidgen", prints: "a word", effect: "reads" },
  { names: "shuf", effect: options({ why: WRITES, changes: "o output", valued: "n i o head-count" }) },
  { names: "iconv", effect: options({ why: WRITES, changes: "o output", valued: "f t o" }) },
  {
    names: "yq",
    prints: "anything",
    effect: options({
      why: WRITES,
      changes: "i inplace in-place split-exp",
      valued: "o p I output-format input-format",
    }),
  },
  { names: "xmllint", effect: options({ why: WRITES, changes: "o output", valued: "o xpath schema" }) },
  {
    names: "xmlstarlet",
    effect: ([, verb = "", ...args]) => (/^(sel|el|val)$/.test(verb) && !args.includes("-L") ? "reads" : "unknown"),
  },
  { names: "man", runs: runsTexts(valuesBehind(/^(?:-P|-H|--pager=?|--html=?)/)), effect: "reads" },
  { names: "info tldr apropos whatis whereis", prints: "anything", effect: "reads" },
  { names: "notify-send say cowsay figlet ansible-doc", prints: "anything" },
];
