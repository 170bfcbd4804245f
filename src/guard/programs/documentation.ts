// Programs that show documentation or say things.
import type { ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";

export const DOCUMENTATION: readonly ProgramRecord[] = [
  { names: "man", runs: runsTexts(valuesBehind(/^(?:-P|-H|--pager=?|--html=?)/)), effect: "reads" },
  { names: "info tldr apropos whatis whereis", prints: "anything", effect: "reads" },
  { names: "notify-send say cowsay figlet ansible-doc", prints: "anything" },
];
