// Lists what a server and its doctor take from the features.
import type { OperationRules } from "../operations/operation.ts";
import { examineFreezes } from "./freeze/doctor.ts";
import { FREEZE_HANDLERS } from "./freeze/operations.ts";
import { SCHEDULE_HANDLERS, SCHEDULE_RULES } from "./schedules/operations.ts";

export const FEATURE_HANDLERS = { ...SCHEDULE_HANDLERS, ...FREEZE_HANDLERS };
export const FEATURE_RULES: OperationRules = SCHEDULE_RULES;

/** What `orch doctor` asks the running server about each. */
export const FEATURE_EXAMINATIONS = { freezes: examineFreezes };
