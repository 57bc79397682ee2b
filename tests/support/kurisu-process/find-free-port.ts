import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give out by themselves: nobody is given it while a process that listens there is down. */
const range = { from: 12_000, below: 30_000 };

/** A port of this machine that is free now, and stays it between the end of a process and its next start. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.below);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
