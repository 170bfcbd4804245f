-- CreateTable
CREATE TABLE "archived" (
    "task_id" TEXT NOT NULL,
    "last_seq" INTEGER NOT NULL,
    "last_hash" TEXT NOT NULL,
    "file" TEXT NOT NULL,
    "file_offset" INTEGER NOT NULL,
    "file_bytes" INTEGER NOT NULL,
    "bundle_digest" TEXT NOT NULL,
    "archived_at" TEXT NOT NULL,
    "row_sum" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "archived_pkey" PRIMARY KEY ("task_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "archived_file_file_offset_key" ON "archived"("file", "file_offset");

-- CreateIndex
CREATE INDEX "task_ended_at_idx" ON "task"("ended_at");
