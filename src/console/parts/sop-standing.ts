// Whether a version of a procedure was taken out of use.
import type { ListedSop } from "../../operations/shapes/sops.ts";

/** It was in use and has lost its proof (D-294). */
export const isSetBack = ({ status, promotion_round }: Pick<ListedSop, "status" | "promotion_round">): boolean =>
  status === "candidate" && promotion_round > 1;
