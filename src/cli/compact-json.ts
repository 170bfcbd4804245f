// JSON for reading on a terminal.
import stringify from "json-stringify-pretty-compact";
import type { Json } from "../domain/json.ts";
import { inJson } from "../domain/printable.ts";

/** A value that fits on one line takes one line. */
export const compactJson = (value: Json): string => inJson(stringify(value, { maxLength: 100 }));
