// The columns of each table that this version knows. A newer version may have added others, which are not read (D-329).
import { Prisma } from "./generated/sqlite/client.ts";

const listed = (columns: object): string => Object.keys(columns).join(", ");

export const KNOWN_COLUMNS = {
  task: listed(Prisma.TaskScalarFieldEnum),
  sop: listed(Prisma.SopScalarFieldEnum),
  approval: listed(Prisma.ApprovalScalarFieldEnum),
  check_look: listed(Prisma.CheckLookScalarFieldEnum),
  delivery: listed(Prisma.DeliveryScalarFieldEnum),
  task_score: listed(Prisma.TaskScoreScalarFieldEnum),
  duty: listed(Prisma.DutyScalarFieldEnum),
  schedule: listed(Prisma.ScheduleScalarFieldEnum),
  work_freeze: listed(Prisma.FreezeScalarFieldEnum),
  target_hold: listed(Prisma.TargetHoldScalarFieldEnum),
  journal_event: listed(Prisma.JournalEventScalarFieldEnum),
  archived: listed(Prisma.ArchivedScalarFieldEnum),
  server: listed(Prisma.ServerScalarFieldEnum),
} as const;
