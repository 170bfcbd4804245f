-- AlterTable
ALTER TABLE "sop" ADD COLUMN     "level" TEXT NOT NULL DEFAULT 'defined',
ADD COLUMN     "proved_on" TEXT,
ADD COLUMN     "replaced_sop_id" TEXT,
ADD COLUMN     "trial_left" INTEGER NOT NULL DEFAULT 0;
-- What has run successfully before there were levels has been tried on its target.
UPDATE "sop" SET "level" = 'tried' WHERE "success_count" > 0;
