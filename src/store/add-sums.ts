// Gives a sum to the rows that were written before there were sums (D-244), once, at the first start after the migration.
// Checkpoints get theirs when they are written again.
import type { Prisma, PrismaClient } from "./generated/sqlite/client.ts";
import { NO_SUM, type Summed, withSum } from "./row-sum.ts";

const PAGE = 500;
const PAGE_OF_UNSUMMED = { where: { row_sum: NO_SUM }, take: PAGE };

export async function addSums(client: PrismaClient): Promise<void> {
  const { task, sop, approval, checkLook, delivery } = client;
  const inPages = async <Row extends Summed>(
    find: () => Promise<Row[]>,
    update: (data: Summed, row: Row) => Prisma.PrismaPromise<{ count: number }>,
  ): Promise<void> => {
    for (;;) {
      const rows = await find();
      const done = await client.$transaction(rows.map((row) => update({ row_sum: withSum(row).row_sum }, row)));
      // A row whose key is damaged stays without.
      if (rows.length < PAGE || done.every(({ count }) => count === 0)) return;
    }
  };
  await inPages(
    () => task.findMany(PAGE_OF_UNSUMMED),
    (data, { task_id }) => task.updateMany({ where: { task_id }, data }),
  );
  await inPages(
    () => sop.findMany(PAGE_OF_UNSUMMED),
    (data, { sop_id }) => sop.updateMany({ where: { sop_id }, data }),
  );
  await inPages(
    () => approval.findMany(PAGE_OF_UNSUMMED),
    (data, { approval_id }) => approval.updateMany({ where: { approval_id }, data }),
  );
  await inPages(
    () => checkLook.findMany(PAGE_OF_UNSUMMED),
    (data, { kind, digest }) => checkLook.updateMany({ where: { kind, digest }, data }),
  );
  await inPages(
    () => delivery.findMany(PAGE_OF_UNSUMMED),
    (data, { receiver }) => delivery.updateMany({ where: { receiver }, data }),
  );
}
