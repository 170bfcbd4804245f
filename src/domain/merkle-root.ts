// Computes the root of a Merkle tree over texts: one hash that changes with any of them. Leaves and inner nodes are hashed
// with different beginnings, so that no inner node passes for a leaf; an odd one at the end of a level goes up as it is
// (RFC 6962).
import { sha256 } from "./json.ts";

const leafHash = (text: string): string => sha256(`leaf ${text}`);

const nodeHash = (left: string, right: string): string => sha256(`node ${left} ${right}`);

/** One step on the way from a leaf to the root: the hash beside it, and on which side that is. */
type MerkleStep = { readonly side: "left" | "right"; readonly hash: string };

/** Of no leaf at all it is the hash of nothing. */
export function merkleRoot(leaves: readonly string[]): string {
  let level = leaves.map(leafHash);
  while (level.length > 1) level = above(level);
  return level[0] ?? sha256("");
}

/** The way from the leaf at this position to the root. */
export function merklePath(leaves: readonly string[], position: number): MerkleStep[] {
  const path: MerkleStep[] = [];
  let level = leaves.map(leafHash);
  for (let at = position; level.length > 1; at = Math.floor(at / 2)) {
    const beside = level[at % 2 === 0 ? at + 1 : at - 1];
    if (beside !== undefined) path.push({ side: at % 2 === 0 ? "right" : "left", hash: beside });
    level = above(level);
  }
  return path;
}

export const rootFrom = (leaf: string, path: readonly MerkleStep[]): string =>
  path.reduce(
    (hash, step) => (step.side === "left" ? nodeHash(step.hash, hash) : nodeHash(hash, step.hash)),
    leafHash(leaf),
  );

function above(level: readonly string[]): string[] {
  const next: string[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left = "", right] = [level[at], level[at + 1]];
    next.push(right === undefined ? left : nodeHash(left, right));
  }
  return next;
}
