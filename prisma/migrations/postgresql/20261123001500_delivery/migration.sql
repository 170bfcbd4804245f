-- CreateTable
CREATE TABLE "delivery" (
    "receiver" TEXT NOT NULL,
    "cursor" INTEGER NOT NULL,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("receiver")
);
