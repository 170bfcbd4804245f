-- What opens the live output of a server to the others. It has no part in the sum of its row: servers of the version before do not know it.
ALTER TABLE "server" ADD COLUMN     "output_secret" TEXT;
