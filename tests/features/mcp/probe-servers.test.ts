import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { probeServers } from "../../../src/features/mcp/probe-servers.ts";
import { listMcpServers, mcpFileSchema } from "../../../src/features/mcp/servers/mcp-file.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

test("a server in a container is probed in an empty workspace of its own, which is gone afterwards", async () => {
  const home = await createTemporaryFolder();
  const file = mcpFileSchema.parse({ mcpServers: { walled: { command: "x", sandbox: true } } });
  const seen: string[] = [];
  const probed = await probeServers(listMcpServers(file), {
    unapproved: [],
    home,
    inherited: {},
    workFolder: async () => home,
    sandbox: {
      async open({ workspace }) {
        if (existsSync(workspace)) seen.push(workspace);
        return { kind: "unavailable", reason: "There is no engine.", remedy: "Install one." };
      },
    },
    credentialFor: () => undefined,
    scrub: (text) => text,
    tell: () => undefined,
    log: pino({ level: "silent" }),
  });
  expect(probed).toMatchObject([{ server: "walled", ok: false, detail: expect.stringContaining("no engine") }]);
  const [workspace = ""] = seen;
  expect(dirname(workspace)).toBe(join(home, "workspaces"));
  // The engine guard knows workspaces by such a name.
  expect(workspace).toMatch(/\/[0-9a-f]{32}$/);
  expect(existsSync(workspace)).toBe(false);
});
