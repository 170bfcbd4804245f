// The intents that a handler claims which cannot be loaded: read from its text, else one with the name of the skill (D-271).
import { readFile } from "node:fs/promises";
import { INTENTS, Intent } from "../domain/contract.ts";
import { nameOf } from "./skill-in-process.ts";

const LIST = /\bHANDLED_INTENTS\b[^=]*=\s*\[([^\]]*)\]/;
const TEXT = /"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g;

export async function claimedIn(file: string): Promise<string[]> {
  const source = await readFile(file, "utf8").catch(() => "");
  const texts = [...(LIST.exec(source)?.[1] ?? "").matchAll(TEXT)].map(([, ...quoted]) => quoted.join(""));
  const listed = [...new Set(texts)].filter(mayClaim);
  return listed.length > 0 ? listed : [nameOf(file).replaceAll("-", "_")].filter(mayClaim);
}

const mayClaim = (intent: string): boolean =>
  Intent.safeParse(intent).success && !(INTENTS as readonly string[]).includes(intent);
