// What every Store has to do, in any database (src/ports.ts).
import { anchorsSuite } from "./store-anchors-suite.ts";
import { archiveSuite } from "./store-archive-suite.ts";
import { changesSuite } from "./store-changes-suite.ts";
import { freezesSuite } from "./store-freezes-suite.ts";
import { journalSuite } from "./store-journal-suite.ts";
import { listsSuite } from "./store-lists-suite.ts";
import type { CreateStore } from "./store-records.ts";
import { schedulesSuite } from "./store-schedules-suite.ts";
import { scoresSuite } from "./store-scores-suite.ts";

export function storeSuite(create: CreateStore): void {
  journalSuite(create);
  changesSuite(create);
  listsSuite(create);
  scoresSuite(create);
  schedulesSuite(create);
  freezesSuite(create);
  anchorsSuite(create);
  archiveSuite(create);
}
