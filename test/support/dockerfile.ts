// The instructions of the Dockerfile, by stage.
import { z } from "zod";
import { textOf } from "../unit/architecture/source-files.ts";

type Instruction = { readonly word: string; readonly rest: string };
export type Stage = { readonly from: string; readonly name: string; readonly instructions: readonly Instruction[] };

const Words = z.array(z.string());

export function stagesOf(path: string): Stage[] {
  const lines = textOf(path)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const stages: { from: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [word = "", ...words] = line.split(" ");
    const [from = "", , name = "last"] = words;
    if (word === "FROM") stages.push({ from, name, instructions: [] });
    else stages.at(-1)?.instructions.push({ word, rest: words.join(" ") });
  }
  return stages;
}

export const restsOf = ({ instructions }: Stage, word: string): string[] =>
  instructions.filter((one) => one.word === word).map(({ rest }) => rest);

/** Of `["a", "b"]`, also after options. */
export const wordsOf = (rest: string): string[] => Words.parse(JSON.parse(rest.slice(rest.indexOf("["))));
