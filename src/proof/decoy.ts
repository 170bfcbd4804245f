// The decoy of a check: the same text with every value of the target replaced by a name that does not exist. An honest check
// of the target fails with it; a check that cannot tell the target from another still passes.
import { bentNames } from "./decoy/bent-names.ts";
import { decidingOf } from "./decoy/deciding.ts";
import { readsDirectory } from "./decoy/directory.ts";
import { type Decoys, decoysOf } from "./decoy/names.ts";
import { isOwnWord, type Occurrence, occurrences } from "./decoy/occurrences.ts";
import { type CheckTree, treeOf } from "./syntax.ts";

type Attributes = Readonly<Record<string, string>>;

/** Where the part that decides names the target: in its text, or by the directory in which it runs. */
type NamedBy = { readonly text: boolean; readonly directory: boolean };

/** `env` holds the `ORCH_TARGET_*` variables of the decoy. `replaced`: the attributes that have a decoy. */
export type Decoy = {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
  readonly replaced: readonly string[];
  readonly named_by: NamedBy;
  readonly names_target: boolean;
};

const variableOf = (key: string): string => `ORCH_TARGET_${key.toUpperCase()}`;

/** `directory`: an absolute path, of a directory of something else in the place of `compose_dir`. Never throws. */
export function decoyOf(text: string, target: Attributes, directory: string): Decoy {
  const decoys = decoysOf({ target, directory });
  const env = Object.fromEntries(
    Object.entries(target).map(([key, value]) => [variableOf(key), decoys.get(key) ?? value]),
  );
  const tree = treeOf(text);
  const values = Object.fromEntries(Object.entries(target).filter(([key]) => decoys.has(key)));
  const found = tree === null ? [] : occurrences(text, tree, values);
  const named_by = tree === null ? { text: false, directory: false } : namedBy(text, tree, { found, values });
  return {
    text: replaced(text, found, decoys),
    env,
    replaced: [...decoys.keys()],
    named_by,
    names_target: named_by.text || named_by.directory,
  };
}

/** The payload of the contract, as canonical JSON, with the values of the target replaced in its strings. */
export function decoyPayload(payload: string, target: Attributes, directory: string): string {
  const decoys = decoysOf({ target, directory });
  const sorted = [...decoys].sort(([a], [b]) => (target[b] ?? "").length - (target[a] ?? "").length);
  return payload.replace(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (string, colon: string | undefined) => {
    if (colon !== undefined) return string;
    for (const [key, decoy] of sorted) {
      const value = target[key] ?? "";
      const at = string.indexOf(value);
      if (at > 0 && /^[^"\\]+$/.test(value + decoy) && isOwnWord(string, value, at))
        return string.slice(0, at) + decoy + string.slice(at + value.length);
    }
    return string;
  });
}

function replaced(text: string, found: readonly Occurrence[], decoys: Decoys): string {
  let result = "";
  let last = 0;
  for (const { key, pos, end } of found) {
    result += text.slice(last, pos) + (decoys.get(key) ?? text.slice(pos, end));
    last = end;
  }
  return result + text.slice(last);
}

type Named = { readonly found: readonly Occurrence[]; readonly values: Attributes };

function namedBy(text: string, tree: CheckTree, { found, values }: Named): NamedBy {
  const { parts, commands } = decidingOf(tree);
  const names = Object.keys(values).map(variableOf);
  const isNamed = parts.some((part) => {
    const { pos, end } = part;
    const bent = bentNames(part);
    const reads = [...text.slice(pos, end).matchAll(/ORCH_TARGET_\w+/g)].some(({ 0: name, index }) => {
      const at = pos + index;
      return names.includes(name) && !bent.some((one) => one.pos <= at && at < one.end);
    });
    return reads || found.some((one) => pos <= one.pos && one.end <= end);
  });
  return { text: isNamed, directory: values["compose_dir"] !== undefined && readsDirectory(tree, commands, parts) };
}
