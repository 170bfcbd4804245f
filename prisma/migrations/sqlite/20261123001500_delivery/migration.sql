-- CreateTable
CREATE TABLE "delivery" (
    "receiver" TEXT NOT NULL PRIMARY KEY,
    "cursor" INTEGER NOT NULL
);
