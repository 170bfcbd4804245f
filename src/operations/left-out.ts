// What a list leaves out: the records of its kind that cannot be read (D-231).
import type { Quarantined } from "../domain/quarantine.ts";
import type { OperationDeps } from "./deps.ts";

export const leftOut = (
  { quarantined }: Pick<OperationDeps, "quarantined">,
  record: Quarantined["record"],
): Quarantined[] => quarantined().filter((one) => one.record === record);
