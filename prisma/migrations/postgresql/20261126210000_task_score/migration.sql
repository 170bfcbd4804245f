-- CreateTable
CREATE TABLE "task_score" (
    "task_id" TEXT NOT NULL,
    "accepted_at" TEXT NOT NULL,
    "ended_at" TEXT NOT NULL,
    "week" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "target_signature" TEXT NOT NULL,
    "cohort" TEXT NOT NULL,
    "sop_id" TEXT,
    "sop_version" INTEGER,
    "candidate" TEXT,
    "status" TEXT NOT NULL,
    "reason_code" TEXT NOT NULL,
    "passed" BOOLEAN,
    "external" BOOLEAN,
    "checks" INTEGER NOT NULL,
    "checks_unseen" INTEGER NOT NULL,
    "took_rank" INTEGER NOT NULL,
    "broken_why" TEXT,
    "tally" TEXT NOT NULL,
    "done" INTEGER NOT NULL,
    "done_unseen" INTEGER NOT NULL,
    "verified" INTEGER NOT NULL,
    "refuted" INTEGER NOT NULL,
    "taught" INTEGER NOT NULL,
    "taught_done" INTEGER NOT NULL,
    "without_sop" INTEGER NOT NULL,
    "promoted" INTEGER NOT NULL,
    "turned_down" INTEGER NOT NULL,
    "handed_back" INTEGER NOT NULL,
    "asked" INTEGER NOT NULL,
    "questions" INTEGER NOT NULL,
    "approvals" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "hasty" INTEGER NOT NULL,
    "steps" INTEGER NOT NULL,
    "retries" INTEGER NOT NULL,
    "unknown_succeeded" INTEGER NOT NULL,
    "unknown_failed" INTEGER NOT NULL,
    "unknown_retry" INTEGER NOT NULL,
    "unknown_open" INTEGER NOT NULL,
    "gate_errors" INTEGER NOT NULL,
    "gate_error_fallbacks" INTEGER NOT NULL,
    "gate_right" INTEGER NOT NULL,
    "gate_wrong" INTEGER NOT NULL,
    "gate_approvals" INTEGER NOT NULL,
    "gate_approval_fallbacks" INTEGER NOT NULL,
    "gate_allowed" INTEGER NOT NULL,
    "gate_asked" INTEGER NOT NULL,
    "gate_useful" INTEGER NOT NULL,
    "broken" INTEGER NOT NULL,
    "queued_ms" DOUBLE PRECISION NOT NULL,
    "waited_ms" DOUBLE PRECISION NOT NULL,
    "active_ms" DOUBLE PRECISION NOT NULL,
    "row_sum" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "task_score_pkey" PRIMARY KEY ("task_id")
);

-- CreateTable
CREATE TABLE "duty" (
    "name" TEXT NOT NULL,
    "cursor" INTEGER NOT NULL,
    "row_sum" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "duty_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "task_score_week_tally_took_rank_idx" ON "task_score"("week", "tally", "took_rank");

-- CreateIndex
CREATE INDEX "task_score_sop_id_ended_at_idx" ON "task_score"("sop_id", "ended_at");

-- CreateIndex
CREATE INDEX "task_score_target_signature_week_idx" ON "task_score"("target_signature", "week");
