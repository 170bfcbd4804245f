// Reads approvals, and those that expire next.
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { approvalOf } from "./rows.ts";

type Approvals = Pick<Store, "findApproval" | "listApprovals" | "expiringApprovals">;

export const createApprovals = ({ client }: Database): Approvals => ({
  async findApproval(approval_id) {
    const row = await client.approval.findUnique({ where: { approval_id } });
    return row === null ? null : approvalOf(row);
  },
  async listApprovals({ limit, after, thread_id, status }) {
    const given = Object.entries({ thread_id, status }).filter(([, value]) => value !== undefined);
    const rows = await client.approval.findMany({
      where: Object.fromEntries(given),
      orderBy: [{ created_at: "asc" }, { approval_id: "asc" }],
      take: limit,
      ...(after === undefined ? {} : { cursor: { approval_id: after }, skip: 1 }),
    });
    return rows.map(approvalOf);
  },
  async expiringApprovals(at) {
    const status = "pending";
    const [due, later] = await Promise.all([
      client.approval.findMany({ where: { status, expires_at: { lte: at } }, orderBy: { expires_at: "asc" } }),
      client.approval.findFirst({ where: { status, expires_at: { gt: at } }, orderBy: { expires_at: "asc" } }),
    ]);
    return { due: due.map(approvalOf), next: later?.expires_at ?? null };
  },
});
