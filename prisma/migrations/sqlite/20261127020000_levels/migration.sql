-- A column without a value has no part in the sum of its row, so the sums stay.
ALTER TABLE "task" ADD COLUMN "needs_level" INTEGER;
ALTER TABLE "checkpoint" ADD COLUMN "written_by" TEXT;

-- CreateTable
CREATE TABLE "compatibility" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "min_level" INTEGER NOT NULL,
    "min_version" TEXT NOT NULL
);
INSERT INTO "compatibility" ("id", "min_level", "min_version") VALUES ('orch', 53, '0.1.0');
