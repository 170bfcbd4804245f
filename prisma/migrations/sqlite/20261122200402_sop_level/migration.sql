-- Added by hand: Prisma would make the table again, and lose the partial index that allows one active SOP per key.
ALTER TABLE "sop" ADD COLUMN "level" TEXT NOT NULL DEFAULT 'defined';
ALTER TABLE "sop" ADD COLUMN "proved_on" TEXT;
ALTER TABLE "sop" ADD COLUMN "trial_left" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "sop" ADD COLUMN "replaced_sop_id" TEXT;
-- What has run successfully before there were levels has been tried on its target.
UPDATE "sop" SET "level" = 'tried' WHERE "success_count" > 0;
