// A thread beside the code of a skill: ends its process when the server that started it is gone, also while the code loops.
import { workerData } from "node:worker_threads";

const LOOK_MS = 1_000;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
