// The operations as the browser calls them. Only their routes are in the bundle; their types come from the table of shapes, and
// the server has parsed each answer with the schema of the operation before it sends it (D-342).
import type { z } from "zod";
import type { SHAPES } from "../api/operations/shapes.ts";
import { request } from "./request.ts";

type Route = readonly [method: "GET" | "POST", path: string];

/** Put in by the build. */
declare const __OPERATIONS__: Readonly<Record<OperationName, Route>>;

/** Rejects with a Problem when the server refuses, or cannot be reached. */
export async function call<N extends OperationName>(
  name: N,
  input: Input<N>,
  signal: AbortSignal | null = null,
): Promise<OperationAnswer<N>> {
  const [method, template] = __OPERATIONS__[name];
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = fields.get(field);
    fields.delete(field);
    return encodeURIComponent(String(value));
  });
  if (method === "POST") return request<OperationAnswer<N>>(path, { method, body: Object.fromEntries(fields), signal });
  const query = new URLSearchParams(
    [...fields].map(([field, value]): [string, string] => [field, String(value)]),
  ).toString();
  return request<OperationAnswer<N>>(query === "" ? path : `${path}?${query}`, { method, signal });
}

// What each operation takes and answers, by its name, as the table of shapes has it (D-342). Types only.

type Shape = (typeof SHAPES)[number];
export type OperationName = Shape["name"];
type Of<N extends OperationName> = Extract<Shape, { readonly name: N }>;
export type Input<N extends OperationName> = z.input<Of<N>["input"]>;
export type OperationAnswer<N extends OperationName> = z.output<Of<N>["output"]>;
