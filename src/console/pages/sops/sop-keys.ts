// The procedures as keys: all versions of one intent and target are one procedure, shown by the version that matters.
import type { ListedSop } from "../../../features/procedures/shapes.ts";
import { isSetBack } from "../../parts/marks.tsx";
import type { SopFilter, WantedSops } from "../../search.ts";

export type SopKey = {
  readonly key: string;
  readonly intent: string;
  readonly target_signature: string;
  /** In use, else the one that was set back, else the newest. */
  readonly shown: ListedSop;
  /** Versions that wait for their promotion, newest first. */
  readonly waiting: readonly ListedSop[];
  readonly versions: number;
};

/** `sops` are versions, newest first. */
export function sopKeys(sops: readonly ListedSop[]): readonly SopKey[] {
  const by_key = Map.groupBy(sops, ({ intent, target_signature }) => `${intent}|${target_signature}`);
  const keys = [...by_key].flatMap(([key, listed]) => {
    const versions = listed.toSorted((one, other) => other.version - one.version);
    const shown = versions.find(({ status }) => status === "active") ?? versions.find(isSetBack) ?? versions[0];
    if (shown === undefined) return [];
    const { intent, target_signature } = shown;
    const waiting = versions.filter(({ status }) => status === "candidate");
    return [{ key, intent, target_signature, shown, waiting, versions: versions.length }];
  });
  return keys.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

const IS: Readonly<Record<SopFilter, (key: SopKey) => boolean>> = {
  in_use: ({ shown }) => shown.status === "active",
  waiting: ({ waiting }) => waiting.length > 0,
  set_back: ({ waiting }) => waiting.some(isSetBack),
  unused: ({ shown, waiting }) => shown.status !== "active" && waiting.length === 0,
};

/** Each word of the text is somewhere in intent, target or id. */
export function filteredKeys(keys: readonly SopKey[], { q = "", status }: WantedSops): readonly SopKey[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return keys.filter((key) => {
    const text = `${key.key} ${key.shown.sop_id}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (status === undefined || IS[status](key));
  });
}

// The name that an exported procedure is given.

type VersionName = {
  readonly intent: string;
  readonly target_signature: string;
  readonly version: number;
};

export type NamedVersion = VersionName & { readonly sop_id: string };

/** Only letters, digits, dots and hyphens: values of a target may be any text. */
export const fileNameOf = ({ intent, target_signature, version }: VersionName): string => {
  const target = target_signature.replace(/[a-z0-9_]+=/g, "").replace(/[^A-Za-z0-9.]+/g, "-");
  return `${[intent, target, `v${version}`].filter((part) => part.replace(/-/g, "") !== "").join("-")}.sop.yaml`;
};
