// Labels say where a task may run: what it needs, and what a server has. A task runs only on a server that has all of its labels.
import { z } from "zod";

const MAX_LABEL = 100;
/** Of one task. */
const MAX_NEEDED = 8;

const FORM = /^[a-z][a-z0-9:_.-]*$/;

export const Label = z
  .string()
  .regex(
    FORM,
    "must be a label: a lower case letter, then letters, digits or any of : _ . -, such as docker or host:nas",
  )
  .max(MAX_LABEL, `must have at most ${MAX_LABEL} characters`);

/** Those that a task needs. */
export const Labels = z
  .array(Label)
  .max(MAX_NEEDED, `must be at most ${MAX_NEEDED} labels`)
  .refine((all) => new Set(all).size === all.length, "must not repeat a label")
  .meta({ uniqueItems: true });

/** A target of this kind needs these labels: none means that it runs anywhere. */
export type TargetLabels = { readonly match: Readonly<Record<string, string>>; readonly labels: readonly string[] };

/** Of a server that has a flow engine (D-336). */
export const FLOW_ENGINE = "flowengine";

type Having = {
  readonly host: string;
  readonly confines: boolean;
  readonly has_engine: boolean;
};

/** What a server has: what it was given, its host, and what can be done there. */
export function ownLabels(given: readonly string[], { host, confines, has_engine }: Having): readonly string[] {
  const { data: of_host } = Label.safeParse(`host:${host.toLowerCase()}`);
  const added = [...(confines ? ["shell:agent"] : []), ...(has_engine ? [FLOW_ENGINE] : [])];
  return sorted([...given, ...(of_host === undefined ? [] : [of_host]), ...added]);
}

/** Sorted and each once, so that the same labels are the same text. */
export const sorted = (labels: readonly string[]): string[] => [...new Set(labels)].sort();

type Needing = {
  readonly runs_on?: readonly string[] | undefined;
  readonly target: Readonly<Record<string, string>>;
};

/** The labels of the contract, else those of the first rule that its target matches; null where it runs anywhere. */
export function labelsNeeded({ runs_on, target }: Needing, rules: readonly TargetLabels[]): string[] | null {
  const labels = runs_on ?? rules.find(({ match }) => matches(target, match))?.labels ?? [];
  return labels.length === 0 ? null : sorted(labels);
}

/** A value that ends with `*` matches by its beginning, any other exactly. Other attributes of the target do not matter. */
const matches = (target: Needing["target"], match: TargetLabels["match"]): boolean =>
  Object.entries(match).every(([name, wanted]) => {
    const value = Object.hasOwn(target, name) ? target[name] : undefined;
    if (value === undefined) return false;
    return wanted.endsWith("*") ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
  });

export const servesLabels = (own: readonly string[], wanted: readonly string[] | null): boolean =>
  wanted === null || wanted.every((label) => own.includes(label));

type Placed = { readonly backend: string; readonly runs_on: readonly string[] | null };

/** The labels that a server must have to work on the task. Those of a job are for the workers of the flow engine, which it must have. */
export const neededHere = ({ backend, runs_on }: Placed): readonly string[] | null =>
  backend === "flowengine" ? [FLOW_ENGINE] : runs_on;

type Live = { readonly server_id: string; readonly labels: readonly string[]; readonly draining: boolean };

/** What no live server has, or all that is needed where each has a part. Null where one of them serves it, or works on it. */
export function labelsWithoutServer(
  live: readonly Live[],
  task: Placed & { readonly owner: string | null },
): string[] | null {
  const wanted = neededHere(task);
  if (wanted === null || live.some(({ server_id }) => server_id === task.owner)) return null;
  const claiming = live.filter(({ draining }) => !draining);
  if (claiming.some(({ labels }) => servesLabels(labels, wanted))) return null;
  const had = new Set(claiming.flatMap(({ labels }) => labels));
  const missing = wanted.filter((label) => !had.has(label));
  return missing.length === 0 ? [...wanted] : missing;
}

/** For who decides on it; empty where it runs anywhere. */
export const placeSentence = (runs_on: readonly string[] | undefined): string =>
  runs_on === undefined ? "" : ` It runs only where there is ${runs_on.join(", ")}.`;

/** The tag of a job: a worker of the flow engine takes a job by one tag. No label contains the sign. */
export const tagOf = (labels: readonly string[] | null | undefined): string | null =>
  labels === null || labels === undefined || labels.length === 0 ? null : labels.join("+");
