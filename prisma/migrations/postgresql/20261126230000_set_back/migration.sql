-- AlterTable
ALTER TABLE "sop" ADD COLUMN     "promotion_round" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "record_since" TEXT;
-- The sum of a row is over all its columns: the next start makes these again.
UPDATE "sop" SET "row_sum" = '';
UPDATE "server" SET "row_sum" = '';
