// Reads SOPs. The database ensures that at most one is active per intent and target signature.
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { sopOf } from "./rows.ts";

export const createSops = ({ client }: Database): Pick<Store, "findSop" | "findActiveSop" | "listSops"> => ({
  async findSop(sop_id) {
    const row = await client.sop.findUnique({ where: { sop_id } });
    return row === null ? null : sopOf(row);
  },
  async findActiveSop(intent, target_signature) {
    const row = await client.sop.findFirst({ where: { intent, target_signature, status: "active" } });
    return row === null ? null : sopOf(row);
  },
  async listSops({ limit, after, intent, target_signature, status }) {
    const given = Object.entries({ intent, target_signature, status }).filter(([, value]) => value !== undefined);
    const rows = await client.sop.findMany({
      where: Object.fromEntries(given),
      orderBy: [{ created_at: "desc" }, { sop_id: "desc" }],
      take: limit,
      ...(after === undefined ? {} : { cursor: { sop_id: after }, skip: 1 }),
    });
    return rows.map(sopOf);
  },
});
