-- CreateTable
CREATE TABLE "check_look" (
    "kind" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "looked_at" TEXT NOT NULL,

    CONSTRAINT "check_look_pkey" PRIMARY KEY ("kind","digest")
);
