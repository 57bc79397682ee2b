import { AsyncLocalStorage } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { startStoppableThread } from "../../src/core/stoppable-thread.ts";

/** Says that it is ready, then repeats what it is told. */
const echo = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", (work) => work === "die" ? process.exit(1) : work !== "hang" && parentPort.postMessage(work));
  parentPort.postMessage("ready");`;

function startEcho() {
  const script = new URL(`data:text/javascript,${encodeURIComponent(echo)}`);
  const thread = startStoppableThread<string, string>(script, { heapMegabytes: 16 });
  onTestFinished(() => thread.end());
  return thread;
}

it("answers one piece of work after the other", async () => {
  const thread = startEcho();
  for (const work of ["a", "b"]) {
    expect(await thread.ask(work, { limitMs: 30_000 })).toEqual({ kind: "answered", result: work });
  }
});

it("tells what came instead of an answer", async () => {
  expect(await startEcho().ask("hang", { limitMs: 20 })).toEqual({ kind: "late" });
  const stopped = { limitMs: 30_000, signal: AbortSignal.timeout(20) };
  expect(await startEcho().ask("hang", stopped)).toEqual({ kind: "aborted" });
  const thread = startEcho();
  expect(await thread.ask("die", { limitMs: 30_000 })).toMatchObject({ kind: "failed" });
  expect(await thread.ask("a", { limitMs: 30_000 })).toMatchObject({ kind: "failed" });
});

it("keeps nothing of those who asked", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const thread = startEcho();
  const storage = new AsyncLocalStorage<object>();
  const asked: WeakRef<object>[] = [];
  for (let count = 0; count < 20; count += 1) {
    const context = { turn: count };
    asked.push(new WeakRef(context));
    await storage.run(context, () => thread.ask("a", { limitMs: 30_000 }));
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  collectGarbage();
  // The last one may still stand on the stack.
  expect(asked.filter((reference) => reference.deref() !== undefined).length).toBeLessThanOrEqual(2);
});
