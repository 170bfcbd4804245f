-- CreateTable
CREATE TABLE "server" (
    "server_id" TEXT NOT NULL PRIMARY KEY,
    "epoch" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "holder" TEXT NOT NULL,
    "started_at" TEXT NOT NULL,
    "seen_at" TEXT NOT NULL,
    "stopped_at" TEXT
);
