-- CreateTable
CREATE TABLE "anchor_leaf" (
    "thread_id" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    PRIMARY KEY ("thread_id", "day")
);

-- CreateIndex
CREATE INDEX "anchor_leaf_day_idx" ON "anchor_leaf"("day");
