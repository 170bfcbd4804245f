// Evidence bundles that were tampered with: each value in one changed, left out or added, hashed anew or not.
import { chain, type JournalEvent } from "../../src/domain/journal.ts";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";

// biome-ignore lint/suspicious/noExplicitAny: a bundle is changed here in ways that no type allows
export type Loose = any;

/** The changes, by name, that were not found. */
export function missed(changes: Iterable<readonly [string, Loose]>): string[] {
  return [...changes].filter(([, bundle]) => verifyBundle(bundle).faults.length === 0).map(([what]) => what);
}

// The journal does not record these.
const UNPROVED = /^approvals\.\d+\.(reason|interrupt_id|expires_at)$/;

/** Every value inside, by its path; arrays and objects among them. */
export function* placesIn(value: Loose, path: string[] = []): Generator<string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) yield* placesIn(value[key], [...path, key]);
}

function otherThan(value: Loose): Loose {
  if (typeof value === "number") return value * 2 || 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return Array.isArray(value) ? [...value, "x"] : value === null ? "x" : null;
  if (/^\d{4}-.*Z$/.test(value)) return new Date(Date.parse(value) + 86_400_000).toISOString();
  return value === "" ? "x" : `${value.slice(0, -1)}${value.endsWith("a") ? "b" : "a"}`;
}

/** The value with the one at the path changed; what is not on the way there is shared. */
function withChange(value: Loose, path: readonly string[], change: (parent: Loose) => void): Loose {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const [key = "", ...rest] = path;
  if (rest.length === 0) change(copy);
  else copy[key] = withChange(copy[key], rest, change);
  return copy;
}

/** The bundle with one thing in it changed, left out or added, for each place in it. */
export function* mutants(bundle: Loose): Generator<readonly [string, Loose]> {
  for (const path of placesIn(bundle)) {
    const name = path.join(".");
    if (UNPROVED.test(name)) continue;
    const last = path.at(-1) ?? "";
    const mutated = (mutate: (parent: Loose) => void) => withChange(bundle, path, mutate);
    yield [`${name} changed`, mutated((parent) => Object.assign(parent, { [last]: otherThan(parent[last]) }))];
    yield [
      `${name} left out`,
      mutated((parent) =>
        Array.isArray(parent) ? parent.splice(Number(last), 1) : Reflect.deleteProperty(parent, last),
      ),
    ];
    yield [
      `${name} doubled`,
      mutated((parent) =>
        Array.isArray(parent)
          ? parent.splice(Number(last), 0, parent[Number(last)])
          : Object.assign(parent, { [`${last}_2`]: 1 }),
      ),
    ];
  }
}

/** The entry as someone would forge it who knows how the chain is made. */
export const rehashed = (journal: readonly JournalEvent[], at: number, event: Loose): Loose =>
  chain(event.thread_id, journal[at - 1] ?? null, [event], event.at)[0];

/** The bundle with one entry changed and hashed anew; nothing proves the time of the very last. */
export function mutatedEntries({ journal, ...rest }: Loose): (readonly [string, Loose])[] {
  return journal.flatMap((event: Loose, at: number) =>
    [...mutants({ body: event.body, kind: event.kind, at: event.at })]
      .filter(([, { body, kind, at }]) => body !== undefined && kind !== undefined && at !== undefined)
      .filter(([what]) => !(at === journal.length - 1 && what === "at changed"))
      .filter(([, { kind_2, at_2, body_2 }]) => (kind_2 ?? at_2 ?? body_2) === undefined)
      .map(([what, fields]) => {
        const changed = rehashed(journal, at, { ...event, ...fields });
        return [`${at + 1} ${what}`, { ...rest, journal: journal.with(at, changed) }] as const;
      }),
  );
}
