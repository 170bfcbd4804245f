-- CreateTable
CREATE TABLE "task_score" (
    "task_id" TEXT NOT NULL PRIMARY KEY,
    "accepted_at" TEXT NOT NULL,
    "ended_at" TEXT NOT NULL,
    "week" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "target_signature" TEXT NOT NULL,
    "cohort" TEXT NOT NULL,
    "sop_id" TEXT,
    "sop_version" INTEGER,
    "taught" BOOLEAN NOT NULL,
    "candidate" TEXT,
    "status" TEXT NOT NULL,
    "reason_code" TEXT NOT NULL,
    "passed" BOOLEAN,
    "verified" BOOLEAN,
    "checks" INTEGER NOT NULL,
    "checks_unseen" INTEGER NOT NULL,
    "questions" INTEGER NOT NULL,
    "approvals" INTEGER NOT NULL,
    "rejected" INTEGER NOT NULL,
    "hasty" INTEGER NOT NULL,
    "steps" INTEGER NOT NULL,
    "retries" INTEGER NOT NULL,
    "unknown" TEXT,
    "gate" TEXT,
    "queued_ms" REAL NOT NULL,
    "waited_ms" REAL NOT NULL,
    "active_ms" REAL NOT NULL,
    "broken" INTEGER NOT NULL,
    "broken_why" TEXT,
    "row_sum" TEXT NOT NULL DEFAULT ''
);

-- CreateTable
CREATE TABLE "duty" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "cursor" INTEGER NOT NULL,
    "row_sum" TEXT NOT NULL DEFAULT ''
);

-- CreateIndex
CREATE INDEX "task_score_week_task_id_idx" ON "task_score"("week", "task_id");

-- CreateIndex
CREATE INDEX "task_score_sop_id_ended_at_idx" ON "task_score"("sop_id", "ended_at");

-- CreateIndex
CREATE INDEX "task_score_target_signature_week_idx" ON "task_score"("target_signature", "week");
