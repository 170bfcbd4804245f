-- How far the clock of a server is ahead, and a digest of its windows, so that differences are seen. Neither is part of the sum of its row:
-- servers of the version before do not know them.
ALTER TABLE "server" ADD COLUMN "skew_ms" INTEGER;
ALTER TABLE "server" ADD COLUMN "windows_digest" TEXT;
