// Says in JSON Schema what the code of a schema checks, for the published document. Patterns have no lookarounds: generators of values
// know none.
/** Published of a text that must not be blank. */
export const NOT_BLANK_PATTERN = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";

type SchemaOf = Readonly<Record<string, unknown>>;

/** Published of an object that has these fields. Their schemas are elsewhere, but linters want each required field to be named. */
export const having = (fields: SchemaOf): SchemaOf => ({ required: Object.keys(fields), properties: fields });

/**
 * Published of an object that needs one of two fields, and not both. Generators of clients take oneOf for a union of types, and a
 * linter refuses required fields without their schemas in `then` and `else`.
 */
export const eitherOf = (one: string, other: string): SchemaOf => ({
  not: { anyOf: [having({ [one]: {}, [other]: {} }), { properties: { [one]: false, [other]: false } }] },
});

/** What durationMs reads: at most one hour. */
export const DURATION_PATTERN = `^(?:${Object.entries({ ms: 3_600_000, s: 3_600, m: 60, h: 1 })
  .map(([unit, most]) => fractionsUpTo(most, unit))
  .join("|")})$`;

/** What rounds to 0 ms. */
export const ZERO_PATTERN = "^0+(?:\\.0+)?[a-z]+$|^0+\\.[0-4]\\d*ms$";

function fractionsUpTo(most: number, unit: string): string {
  return `(?:${wholeUpTo(most - 1, 7)}(?:\\.\\d{1,3})?|${wholeUpTo(most, 7)}(?:\\.0{1,3})?)${unit}`;
}

/** A pattern of the whole numbers from 0, with zeros before them up to so many digits. */
export function wholeUpTo(most: number, digits: number): string {
  const text = String(most);
  const forms = [...text].flatMap((digit, at) => {
    const rest = text.length - at - 1;
    return digit === "0" ? [] : [`${text.slice(0, at)}[0-${Number(digit) - 1}]${rest === 0 ? "" : `\\d{${rest}}`}`];
  });
  const shorter = text.length === 1 ? [] : [`\\d{1,${text.length - 1}}`];
  return `0{0,${digits - text.length}}(?:${[...shorter, ...forms, text].join("|")})`;
}
