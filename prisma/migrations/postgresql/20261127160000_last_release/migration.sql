-- The release that was the last to have this database: a later one compares, so that none between the two is skipped.
ALTER TABLE "compatibility" ADD COLUMN "last_release" TEXT;
