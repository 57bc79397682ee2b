// full: needs a container engine
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createReceiveFiles } from "../../src/kernel/files/receive-files.ts";
import type { InboundMessage } from "../../src/channels/types.ts";
import { createContainerFiles } from "../../src/workspace/container/container-files.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { FakeChannel } from "../support/fake-channel.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";

const workspaceLimits = { bytes: 1024 ** 2, files: 100 };

describe.runIf(await runnerIsThere())("a file that arrives while a command runs in its workspace", () => {
  it("the file is announced as late after a while, keeps its name, and is saved once the command has ended", async () => {
    const bench = await createSandboxBench();
    const workspace = createWorkspace({
      root: dirname(bench.workspace),
      nameFolder: () => bench.workspace.slice(dirname(bench.workspace).length + 1),
      limits: () => workspaceLimits,
      files: () => createContainerFiles({ sandbox: bench.sandbox, waitingMs: 1_000 }),
    });
    const channel = new FakeChannel();
    channel.files.set("a", { kind: "fetched", content: Buffer.from("x") });
    const limits = { maxBytes: 1000, maxCount: 3 };
    const log = createLog({ level: "silent", secrets: [] });
    const receive = createReceiveFiles({
      findChannel: () => channel,
      workspace,
      workspaceLimits: () => workspaceLimits,
      limits: () => limits,
      log,
    });
    const message = {
      address: { platform: "fake", account: "bot", chat: "owner" },
      attachments: [{ kind: "file", name: "notes.txt", source: { id: "a" } }],
    } as unknown as InboundMessage;
    const person = { id: "fake:owner", role: "owner" } as const;
    const { signal } = new AbortController();

    const command = new AbortController();
    const { outcome } = await bench.begin("echo begun; exec sleep 300", { timeoutMs: 300_000, signal: command.signal });
    const [lost] = await receive(message, person, "test", signal);
    expect(lost).toMatchObject({
      kind: "lost",
      why: { kind: "failed", reason: expect.stringContaining("busy with a command") },
    });
    command.abort();
    await outcome;
    const [saved] = await receive(message, person, "test", signal);
    expect(saved).toMatchObject({ kind: "saved", path: "inbox/notes.txt" });
    expect(await readdir(join(bench.workspace, "inbox"))).toEqual(["notes.txt"]);
  });
});
