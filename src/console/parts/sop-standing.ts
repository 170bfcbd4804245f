// Whether a version of a procedure was taken out of use.
import type { ListedSop } from "../../operations/shapes/sops.ts";

/** It was in use and has lost its proof (D-294). */
export type SopStanding = Pick<ListedSop, "status" | "promotion_round">;

export const isSetBack = ({ status, promotion_round }: SopStanding): boolean =>
  status === "candidate" && promotion_round > 1;
