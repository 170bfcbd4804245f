// What the page shows, as get_approval gives it.
import type { SopProof } from "../../../domain/sop-proof.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

export type Shown = OperationAnswer<"get_approval">;
export type ShownStep = Shown["steps"][number];
export type ShownCheck = Shown["checks"][number];
export type StepPreview = NonNullable<SopProof["steps"][number]["preview"]>;
