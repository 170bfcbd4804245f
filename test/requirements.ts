// The sentences and table rows of the specification that software can satisfy, each as one claim with one id.
// A test cites the ids that it shows in its title, like [3.rule.1]; [2.target.*] cites every row of a table.
// Not listed: what describes (names, responsibilities of the supervisor, "not shown") and what is absent (an event stream).
import { PART_1 } from "./requirements/part-1.ts";
import { PART_2 } from "./requirements/part-2.ts";
import { PART_3 } from "./requirements/part-3.ts";
import { PART_4 } from "./requirements/part-4.ts";
import { PARTS_5_TO_8 } from "./requirements/part-5-to-8.ts";
import type { Requirement } from "./requirements/requirement.ts";
import { VOICE } from "./requirements/voice.ts";

export const REQUIREMENTS: readonly Requirement[] = [
  ...PART_1,
  ...PART_2,
  ...PART_3,
  ...PART_4,
  ...PARTS_5_TO_8,
  ...VOICE,
];
