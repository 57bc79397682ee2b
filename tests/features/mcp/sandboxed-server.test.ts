// full: needs a container engine
import { describe, expect, test } from "vitest";
import { createFolderWriters } from "../../../src/workspace/folder-writers.ts";
import { dockerIsThere, requireDocker } from "../../support/docker.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { createTestSandbox } from "../../support/test-sandbox.ts";
import { createWorkspaceBench } from "../../support/workspaces.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A server in a few lines of bash and jq, which the sandbox's image has. It answers with what it sees. */
const script = String.raw`
tools='{"tools":[{"name":"look","inputSchema":{"type":"object"}},{"name":"pour","inputSchema":{"type":"object"}}]}'
hello='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"walled","version":"1"}}'
while IFS= read -r line; do
  id=$(jq -c '.id // empty' <<<"$line")
  case $(jq -r .method <<<"$line") in
    initialize) jq -cn --argjson id "$id" --argjson r "$hello" '{jsonrpc:"2.0",id:$id,result:$r}' ;;
    tools/list) jq -cn --argjson id "$id" --argjson r "$tools" '{jsonrpc:"2.0",id:$id,result:$r}' ;;
    tools/call)
      if [[ $(jq -r .params.name <<<"$line") = pour ]]; then
        # More than a stream holds before its reader reads.
        head -c 1000000 /dev/zero | tr '\0' x | jq -Rc --argjson id "$id" '{jsonrpc:"2.0",id:$id,result:{content:[{type:"text",text:.}]}}'
        continue
      fi
      touch /workspace/was-here
      seen="uid $(id -u); net $(ls /sys/class/net | tr '\n' ' '); mine $MINE; root $(touch /x 2>&1 | grep -o 'Read-only'); home $(env | cut -d= -f1 | sort | tr '\n' ' ')"
      jq -cn --argjson id "$id" --arg t "$seen" '{jsonrpc:"2.0",id:$id,result:{content:[{type:"text",text:$t}]}}' ;;
  esac
done
`;

describe.runIf(dockerIsThere())("sandbox: true", () => {
  test("runs a server in a container without a network, spoken to over its streams; nothing of it stays", async () => {
    const docker = requireDocker();
    const { sandbox, installation } = createTestSandbox({ docker });
    const { folder } = await createWorkspaceBench("host by path");
    const writers = createFolderWriters();
    const { call, bridge, stop } = await startBridge(
      {
        walled: {
          command: "bash",
          args: ["-c", script],
          env: { MINE: "it's $HOME" },
          sandbox: true,
        },
      },
      { sandbox, folderFor: async () => folder, beginWriting: writers.begin },
    );
    const isAlone = (): boolean => {
      const writer = writers.watch(folder);
      writer.end();
      return writer.isAlone();
    };
    expect(bridge.views()[0]).toMatchObject({ state: "ready" });
    const answer = await call("mcp__walled__look", {});
    expect(answer).toMatchObject({ ok: true });
    const seen = answer.ok && typeof answer.output === "string" ? answer.output : "";
    expect(seen).toMatch(/uid [1-9]\d*;/);
    expect(seen).toContain("net lo ;");
    expect(seen).toContain("mine it's $HOME;");
    expect(seen).toContain("root Read-only;");
    expect(seen).not.toMatch(/KURISU|SECRET|TOKEN/);
    const poured = await call("mcp__walled__pour", {});
    expect(JSON.stringify(poured)).toContain("xxxx");
    const filters = JSON.stringify({ label: [`kurisu.installation=${installation}`] });
    const list = () => docker.listContainers({ all: true, filters });
    expect(await list()).toHaveLength(1);
    // What is at work is not left over.
    await sandbox.sweep();
    expect(await call("mcp__walled__look", {})).toMatchObject({ ok: true });
    // Whoever has the folder may write there at any time.
    expect(isAlone()).toBe(false);
    await stop();
    await waitUntil("that the folder is nobody's", isAlone);
    await waitUntil("the container's end", async () => (await list()).length === 0);
    await sandbox.stop();
  });

  test("a server is ended with the sandbox, and one whose image is not there says so", async () => {
    const docker = requireDocker();
    const { sandbox, installation } = createTestSandbox({ docker });
    const { folder } = await createWorkspaceBench("host by path");
    const { bridge } = await startBridge(
      {
        walled: { command: "bash", args: ["-c", script], sandbox: true },
        other: { command: "bash", sandbox: { image: "kurisu-no-such-image:1" } },
      },
      { sandbox, folderFor: async () => folder },
    );
    // It is tried again meanwhile.
    await expect
      .poll(() => bridge.views()[1], { interval: 5, timeout: 60_000 })
      .toMatchObject({ state: "failed", detail: expect.stringContaining("kurisu-no-such-image:1") });
    await sandbox.stop();
    const filters = JSON.stringify({ label: [`kurisu.installation=${installation}`] });
    await waitUntil("its end", async () => (await docker.listContainers({ all: true, filters })).length === 0);
  });
});
