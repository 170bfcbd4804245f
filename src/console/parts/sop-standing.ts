// A version of a procedure as the list has it, and whether it was taken out of use.
import type { Answer } from "../operations.ts";

export type ListedSop = Answer<"list_sops">["sops"][number];

/** It was in use and has lost its proof (D-294). */
export const isSetBack = ({ status, promotion_round }: Pick<ListedSop, "status" | "promotion_round">): boolean =>
  status === "candidate" && promotion_round > 1;
