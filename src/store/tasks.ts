// Reads tasks and renews their leases.
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { taskOf } from "./rows.ts";

const LIVE = ["accepted", "running"];

type Tasks = Pick<Store, "findTask" | "listTasks" | "unfinishedTasks" | "renewLeases">;

export const createTasks = ({ client }: Database): Tasks => ({
  async findTask(task_id) {
    const row = await client.task.findUnique({ where: { task_id } });
    return row === null ? null : taskOf(row);
  },
  async listTasks({ limit, after, status }) {
    const rows = await client.task.findMany({
      where: status === undefined ? {} : { status },
      orderBy: [{ created_at: "desc" }, { task_id: "desc" }],
      take: limit,
      ...(after === undefined ? {} : { cursor: { task_id: after }, skip: 1 }),
    });
    return rows.map(taskOf);
  },
  async unfinishedTasks() {
    const rows = await client.task.findMany({
      where: { status: { in: LIVE } },
      orderBy: [{ created_at: "asc" }, { task_id: "asc" }],
    });
    return rows.map(taskOf);
  },
  async renewLeases(owner, lease_expires_at) {
    await client.task.updateMany({ where: { status: { in: LIVE }, owner }, data: { lease_expires_at } });
  },
});
