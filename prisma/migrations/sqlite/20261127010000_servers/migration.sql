-- A column without a value has no part in the sum of its row, so the sums stay.
ALTER TABLE "task" ADD COLUMN "runs_on" TEXT;
ALTER TABLE "server" ADD COLUMN "name" TEXT;
ALTER TABLE "server" ADD COLUMN "labels" TEXT;
ALTER TABLE "server" ADD COLUMN "version" TEXT;
ALTER TABLE "server" ADD COLUMN "journal_level" INTEGER;
ALTER TABLE "server" ADD COLUMN "concurrency" INTEGER;
ALTER TABLE "server" ADD COLUMN "url" TEXT;
ALTER TABLE "server" ADD COLUMN "lease_expires_at" TEXT;
ALTER TABLE "server" ADD COLUMN "drain_asked_at" TEXT;

-- CreateTable
CREATE TABLE "target_hold" (
    "target_signature" TEXT NOT NULL PRIMARY KEY,
    "task_id" TEXT NOT NULL,
    "since" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "target_hold_task_id_key" ON "target_hold"("task_id");

-- CreateTable
CREATE TABLE "work_freeze" (
    "freeze_id" TEXT NOT NULL PRIMARY KEY,
    "intent" TEXT,
    "target_signature" TEXT,
    "except_diagnostics" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "frozen_by" TEXT NOT NULL,
    "created_at" TEXT NOT NULL,
    "thawed_by" TEXT,
    "thawed_at" TEXT,
    "row_sum" TEXT NOT NULL DEFAULT ''
);

-- CreateIndex
CREATE INDEX "work_freeze_thawed_at_idx" ON "work_freeze"("thawed_at");

-- CreateTable
CREATE TABLE "token_bucket" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "full_at_ms" REAL NOT NULL
);
