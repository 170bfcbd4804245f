// Of which intent and target a text is: settled where it began, or named in the text.
import type { ProcedureText, TextFault } from "../../editor/procedure-text.ts";
import type { TeachStart } from "./starts.ts";

type Subject = NonNullable<TeachStart["subject"]>;

const isTarget = (value: unknown): value is Subject["target"] =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

const isSame = (one: Subject["target"], other: unknown): boolean =>
  isTarget(other) &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

/** An exported file may be pasted: its intent and target are read, and have to be those that are settled. */
export function subjectOf(
  settled: TeachStart["subject"],
  { fields, rangeOf }: ProcedureText,
): { readonly subject: TeachStart["subject"]; readonly faults: readonly TextFault[] } {
  if (fields === null) return { subject: settled, faults: [] };
  const { intent, target } = fields;
  if (settled === null) {
    const missing = (["intent", "target"] as const).filter((field) => fields[field] === undefined);
    const faults = missing.map((field) => ({ ...rangeOf(""), message: `needs the field ${field}` }));
    if (typeof intent !== "string") return { subject: null, faults };
    return { subject: isTarget(target) ? { intent, target } : null, faults: [...faults, ...notTexts(target, rangeOf)] };
  }
  const other = "is another one than is taught here; import the file instead";
  return {
    subject: settled,
    faults: [
      ...(intent === undefined || intent === settled.intent
        ? []
        : [{ ...rangeOf("intent"), message: `intent ${other}` }]),
      ...(target === undefined || isSame(settled.target, target)
        ? []
        : [{ ...rangeOf("target"), message: `target ${other}` }]),
    ],
  };
}

function notTexts(target: unknown, rangeOf: ProcedureText["rangeOf"]): readonly TextFault[] {
  if (target === undefined || isTarget(target)) return [];
  if (typeof target !== "object" || target === null)
    return [{ ...rangeOf("target"), message: "target must be names and values, such as host: nas" }];
  return Object.entries(target)
    .filter(([, value]) => typeof value !== "string")
    .map(([name]) => ({ ...rangeOf(`target.${name}`), message: `target.${name} must be a text; put it in quotes` }));
}
