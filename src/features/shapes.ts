// Lists how the features show themselves to callers. The order of all operations is that of src/operations/shapes.ts.
import { FREEZE_SCHEMAS, FREEZE_SHAPES, FREEZE_TAGS } from "./freeze/shapes.ts";
import { KEEPING_SHAPES } from "./keeping/shapes.ts";
import { SCHEDULE_SCHEMAS, SCHEDULE_SHAPES, SCHEDULE_TAGS } from "./schedules/shapes.ts";
import { SCORECARD_SHAPES } from "./scorecard/shapes.ts";
import { SERVER_SHAPES } from "./servers/shapes.ts";
import { VERIFICATION_SHAPES } from "./verification/shapes.ts";

export { FREEZE_SHAPES, KEEPING_SHAPES, SCHEDULE_SHAPES, SCORECARD_SHAPES, SERVER_SHAPES, VERIFICATION_SHAPES };

export const FEATURE_SCHEMAS = { ...SCHEDULE_SCHEMAS, ...FREEZE_SCHEMAS };
export const FEATURE_TAGS = { ...SCHEDULE_TAGS, ...FREEZE_TAGS };
