-- CreateTable
CREATE TABLE "schedule" (
    "name" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "every" TEXT,
    "cron" TEXT,
    "timezone" TEXT,
    "status" TEXT NOT NULL,
    "next_due" TEXT,
    "open_due" TEXT,
    "last_due" TEXT,
    "last_task_id" TEXT,
    "runs" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "missed" INTEGER NOT NULL,
    "fault" TEXT,
    "created_at" TEXT NOT NULL,
    "updated_at" TEXT NOT NULL,
    "row_sum" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "schedule_next_due_idx" ON "schedule"("next_due");
