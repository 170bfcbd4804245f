// get_diagnosis: the checks of orch doctor, as this server makes them of itself (D-358).
import type { OperationHandler } from "./operation.ts";
import type { getDiagnosis } from "./shapes/diagnosis.ts";

export const handleGetDiagnosis: OperationHandler<typeof getDiagnosis> =
  ({ diagnose }) =>
  () =>
    diagnose();
