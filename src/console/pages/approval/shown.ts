// What the page shows, as get_approval gives it.
import type { SopProof } from "../../../domain/sop-proof.ts";
import type { Answer } from "../../operations.ts";

export type Shown = Answer<"get_approval">;
export type ShownStep = Shown["steps"][number];
export type ShownCheck = Shown["checks"][number];
export type Change = ShownStep["change"];
export type Preview = NonNullable<SopProof["steps"][number]["preview"]>;
