-- Added by hand: Prisma would make the table of the SOPs again, and lose its partial index.
ALTER TABLE "task" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "sop" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "approval" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "check_look" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "delivery" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "server" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "checkpoint" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "checkpoint_blob" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
ALTER TABLE "checkpoint_write" ADD COLUMN "row_sum" TEXT NOT NULL DEFAULT '';
