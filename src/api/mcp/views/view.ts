// A view: what a model gets of an output unless it asks for everything.
import { z } from "zod";

/** What was asked for beside the input of the operation. */
export type Asked = { readonly step?: number | undefined; readonly tail_bytes?: number | undefined };

export type View<Whole = unknown> = {
  /** Fields of the tool beside those of the operation, or instead of them. */
  readonly fields?: z.ZodRawShape;
  readonly output: z.ZodObject;
  readonly show: (whole: Whole, asked: Asked) => unknown;
};

/** Lets a view infer what it shows. */
export const viewOf = <O extends z.ZodType>(output: O, view: View<z.output<O>>): readonly [z.ZodType, View] => [
  output,
  view as View,
];

export const Cut = z.array(z.string()).optional().describe("what is left out, and how to get it");

/** Only the fields that the schema has. */
export const picked = <O extends z.ZodObject>({ shape }: O, whole: z.output<O>): z.output<O> =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, whole[name]])) as z.output<O>;

const MAX_LINE = 150;

/** Of a text in a row. */
export const withCutMark = (text: string, most = MAX_LINE): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}[cut]`;
