// A client that shuts its sending side after its request, and reads the answer until the server closes.
import { once } from "node:events";
import { connect } from "node:net";

export async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  await once(socket, "connect");
  socket.end(bytes);
  await once(socket, "end");
  return answer;
}
