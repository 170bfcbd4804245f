-- A column without a value has no part in the sum of its row, so the sums stay.
ALTER TABLE "task" ADD COLUMN     "runs_on" TEXT;
ALTER TABLE "server" ADD COLUMN     "concurrency" INTEGER,
ADD COLUMN     "drain_asked_at" TEXT,
ADD COLUMN     "journal_level" INTEGER,
ADD COLUMN     "labels" TEXT,
ADD COLUMN     "lease_expires_at" TEXT,
ADD COLUMN     "name" TEXT,
ADD COLUMN     "url" TEXT,
ADD COLUMN     "version" TEXT;

-- CreateTable
CREATE TABLE "target_hold" (
    "target_signature" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "since" TEXT NOT NULL,

    CONSTRAINT "target_hold_pkey" PRIMARY KEY ("target_signature")
);

-- CreateIndex
CREATE UNIQUE INDEX "target_hold_task_id_key" ON "target_hold"("task_id");

-- CreateTable
CREATE TABLE "work_freeze" (
    "freeze_id" TEXT NOT NULL,
    "intent" TEXT,
    "target_signature" TEXT,
    "except_diagnostics" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "frozen_by" TEXT NOT NULL,
    "created_at" TEXT NOT NULL,
    "thawed_by" TEXT,
    "thawed_at" TEXT,
    "row_sum" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "work_freeze_pkey" PRIMARY KEY ("freeze_id")
);

-- CreateIndex
CREATE INDEX "work_freeze_thawed_at_idx" ON "work_freeze"("thawed_at");

-- CreateTable
CREATE TABLE "token_bucket" (
    "name" TEXT NOT NULL,
    "full_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "token_bucket_pkey" PRIMARY KEY ("name")
);
