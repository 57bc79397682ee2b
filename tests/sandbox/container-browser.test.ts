import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createContainerBrowser } from "../../src/sandbox/container-browser.ts";
import { createOffSandbox } from "../../src/sandbox/open-sandbox.ts";
import { openAddress } from "../../src/web/browser/open-address.ts";
import { createBrowser } from "../../src/web/browser/open-page.ts";
import { browserImageIsThere, createContainerBench } from "../support/browser-places.ts";
import { requireDocker } from "../support/docker.ts";
import { startGuard } from "../support/engine-guard.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestSandbox } from "../support/test-sandbox.ts";
import { allowSites, startSite, type TestSite } from "../support/web-server.ts";

const request = { width: 800, height: 600, signal: new AbortController().signal, limitMs: 60_000 };

const startPage = (): Promise<TestSite> =>
  startSite((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<title>here</title>"));

/** As a page that has taken over the browser: a process of the same user in the same container. */
async function runInside(id: string, script: string): Promise<string> {
  const docker = requireDocker();
  const exec = await docker.getContainer(id).exec({
    Cmd: ["bash", "-c", script],
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({});
  const output = new PassThrough();
  docker.modem.demuxStream(stream, output, output);
  stream.on("end", () => output.end());
  return await text(output);
}

const isThere = await browserImageIsThere();

describe.runIf(isThere)("the container of the browser", () => {
  it("reaches public sites by the proxy and nothing else, and sees no file of the host", async () => {
    const site = await startPage();
    const secret = await startSite((_, response) => response.end("secret"));
    const canary = join(await createTemporaryFolder(), "canary");
    await writeFile(canary, "a file of the host");
    const { place, containers } = await createContainerBench();
    const browser = createBrowser({ place, allowAddress: allowSites(site) });
    const outcome = await browser.withPage(request, async (opened) => {
      const [container] = await containers();
      const id = container?.Id ?? "";
      const ask = (script: string) => runInside(id, script);
      const proxied = (address: string) =>
        ask(
          `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET ${address} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&3; head -n1 <&3`,
        );
      return {
        opened: await openAddress(opened, `${site.origin}/`),
        viaProxy: await proxied(`${site.origin}/`),
        privateViaProxy: await proxied(`${secret.origin}/`),
        direct: await ask(`(exec 3<>/dev/tcp/127.0.0.1/${secret.port}) 2>&1 && echo reached`),
        interfaces: await ask("cut -d: -f1 /proc/net/dev | tail -n +3"),
        canary: await ask(`cat ${canary} 2>&1`),
        workspace: await ask("ls /workspace 2>&1"),
        root: await ask("touch /usr/x /run/kurisu-egress/x 2>&1"),
        user: await ask("id -u; grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status"),
        inspected: await requireDocker().getContainer(id).inspect(),
      };
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    const found = outcome.value;
    expect(found.opened).toMatchObject({ ok: true, title: "here" });
    expect(found.viaProxy).toContain("200 OK");
    expect(found.privateViaProxy).toContain("403 Forbidden");
    expect(found.direct).toContain("Connection refused");
    expect(found.interfaces.trim()).toBe("lo");
    expect(found.canary).toContain("No such file");
    expect(found.workspace).toContain("No such file");
    expect(found.root.match(/Read-only file system/g)).toHaveLength(2);
    expect(found.user).toMatch(/^[1-9]\d*\n/);
    expect(found.user).toMatch(/CapEff:\s*0+\n[\s\S]*NoNewPrivs:\s*1\n[\s\S]*Seccomp:\s*2/);
    expect(found.inspected.Mounts).toMatchObject([{ Destination: "/run/kurisu-egress", RW: false }]);
    expect(found.inspected.HostConfig).toMatchObject({ NetworkMode: "none", PidsLimit: 512, Memory: 1024 ** 3 });
    expect(secret.connections()).toBe(0);
  });

  it("passes the engine guard, which refuses it where the browser runs on the host", async () => {
    const site = await startPage();
    const open = async (guard: Awaited<ReturnType<typeof startGuard>>, root: string) => {
      const { installation } = guard.policy;
      const { place, leftovers } = await createContainerBench({ docker: guard.docker, installation, root });
      const browser = createBrowser({ place, allowAddress: allowSites(site) });
      const outcome = await browser.withPage(request, (opened) => openAddress(opened, `${site.origin}/`));
      await expect.poll(leftovers).toEqual([]);
      return outcome;
    };
    const guard = await startGuard();
    const sockets = guard.policy.browser?.sockets ?? "";
    expect(await open(guard, sockets)).toMatchObject({ ok: true, value: { ok: true, title: "here" } });
    // Another folder than the policy's.
    expect(await open(guard, join(await createTemporaryFolder(), "elsewhere"))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("HostConfig.Mounts") as string,
    });
    const { browser: _, ...policy } = guard.policy;
    const closed = await startGuard({ policy });
    expect(await open(closed, sockets)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/no image/) as string,
    });
  });
});

describe("without the container of the browser", () => {
  const root = "/nowhere";

  it("the browser is not offered while the sandbox is off, and never runs on the host instead", async () => {
    const place = createContainerBrowser({ sandbox: createOffSandbox(), image: "kurisu-browser:latest", root });
    const browser = createBrowser({ place });
    const reason = expect.stringMatching(/switched off[\s\S]*enabled: true[\s\S]*tools\.browser\.host: true/) as string;
    expect(browser.availability()).toEqual({ ok: false, reason });
    expect(await browser.withPage(request, () => Promise.resolve("opened"))).toEqual({ ok: false, reason });
  });

  it.runIf(isThere)("the browser is not offered without its image, and the reason says how to build it", async () => {
    const image = "kurisu-no-such-browser:latest";
    const { sandbox } = createTestSandbox({ docker: requireDocker(), browserImage: image });
    expect(await sandbox.status()).toMatchObject({ state: "ready", hasBrowser: false });
    const reason = createContainerBrowser({ sandbox, image, root }).availability();
    expect(reason).toEqual({
      ok: false,
      reason: expect.stringContaining("npm run sandbox:image -- --browser") as string,
    });
    await sandbox.stop();
  });
});
