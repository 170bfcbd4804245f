// What the supervisor may do next as tool calls: the name of the tool with its arguments, and one sentence.
import { z } from "zod";
import { NextAction } from "../domain/next-action.ts";
import { visible } from "./json-text.ts";

const WithNext = z.object({ next: z.array(NextAction) });

/** Null when the output says nothing of it. */
export function nextText(output: unknown): string | null {
  const parsed = WithNext.safeParse(output);
  if (!parsed.success || parsed.data.next.length === 0) return null;
  return visible(["Next:", ...parsed.data.next.map(lineOf)].join("\n"));
}

const lineOf = ({ operation, arguments: given, text }: NextAction): string =>
  operation === null ? `- ${inOneLine(text)}` : `- ${operation} ${JSON.stringify(given)}: ${inOneLine(text)}`;

const inOneLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ");
