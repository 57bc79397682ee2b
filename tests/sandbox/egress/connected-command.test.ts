import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SandboxCommand } from "../../../src/sandbox/types.ts";
import { createEgressBench, relayIsThere, startEgressSite, type EgressBench } from "../../support/egress-bench.ts";
import { createSandboxBench, type SandboxBench } from "../../support/sandbox-bench.ts";

const url = "http://public.test-site.net:8080";
const network = ["public.test-site.net:8080"];
const curl = "curl -sS -m 5 -o /dev/stdout -w '\\n%{http_code}\\n'";

async function createBenches() {
  const way = await createEgressBench();
  return { way, bench: await createSandboxBench({ egress: way.egress }) };
}

/** Nothing of a command that reached hosts is there any more. */
async function expectNothingLeft(bench: SandboxBench, way: EgressBench): Promise<void> {
  const left = (await bench.containers()).filter(({ Mounts }) => Mounts.length > 1);
  expect(left).toEqual([]);
  expect(way.folders()).toEqual([]);
}

describe.runIf(await relayIsThere())("a command that may reach hosts", () => {
  it("reaches them through its environment's proxy, and nothing is left of it afterwards", async () => {
    const site = await startEgressSite((request, response) => response.end(`saw ${request.headers["user-agent"]}`));
    const { bench, way } = await createBenches();
    const outcome = await bench.run(`${curl} -A test ${url}/; touch made`, { network });
    expect(outcome.stdout).toBe("saw test\n200\n");
    expect(outcome.network).toEqual({ refused: [] });
    expect(outcome.exitCode).toBe(0);
    expect(site.requests[0]?.headers.host).toBe("public.test-site.net:8080");
    expect(readdirSync(bench.workspace)).toEqual(["made"]);
    await expectNothingLeft(bench, way);
  });

  it("opens tunnels, many at once, with large bodies in both directions", async () => {
    const site = await startEgressSite((request, response) => {
      let bytes = 0;
      request.on("data", (piece: Buffer) => (bytes += piece.length));
      request.on("end", () => response.end(Buffer.alloc(2_000_000, String(bytes).slice(0, 1))));
    });
    const { bench } = await createBenches();
    const one = `head -c 3000000 /dev/zero | curl -sS -m 20 --proxytunnel --data-binary @- ${url}/ | wc -c`;
    const outcome = await bench.run(`for i in 1 2 3 4 5 6; do (${one}) & done; wait`, { network, timeoutMs: 60_000 });
    expect(outcome.stdout.trim().split("\n")).toEqual(Array.from({ length: 6 }, () => "2000000"));
    expect(site.requests).toHaveLength(6);
  });

  it("tells of what was refused: other hosts, addresses, redirects to elsewhere, names of private addresses", async () => {
    const site = await startEgressSite((request, response) =>
      response.writeHead(302, { location: `http://evil.test-site.net:8080${request.url}` }).end(),
    );
    const { bench, way } = await createBenches();
    const asked = [
      `${curl} -L ${url}/redirected`,
      `${curl} https://evil.test-site.net/`,
      `${curl} http://169.254.169.254/latest/meta-data`,
      `${curl} http://127.0.0.1:8080/`,
      `${curl} http://private.test-site.net:8080/`,
      `${curl} http://public.test-site.net:8443/`,
    ];
    const hosts = [...network, "private.test-site.net:8080"];
    const outcome = await bench.run(asked.join("; "), { network: hosts });
    expect(outcome.network?.refused.toSorted()).toEqual([
      "127.0.0.1:8080",
      "169.254.169.254:80",
      "evil.test-site.net:443",
      "evil.test-site.net:8080",
      "private.test-site.net:8080",
      "public.test-site.net:8443",
    ]);
    expect(outcome.stdout).toContain("not one of the approved hosts");
    expect(site.requests.map((request) => request.url)).toEqual(["/redirected"]);
    expect(way.looked).toEqual(["public.test-site.net", "private.test-site.net"]);
  });

  it("the command has no other way out: no interface, no route, no name server, no raw socket, no setting of the proxy", async () => {
    const site = await startEgressSite((_, response) => response.end("reached"));
    const { bench, way } = await createBenches();
    const probes = [
      "echo interfaces $(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | tr '\\n' ' ')",
      "echo routes $(tail -n +2 /proc/net/route | wc -l)",
      "(echo x > /dev/tcp/1.1.1.1/443) 2>&1 | grep -o 'unreachable' | head -1",
      "(echo x > /dev/udp/1.1.1.1/53) 2>&1 | grep -o 'unreachable' | head -1",
      "getent hosts public.test-site.net || echo no name",
      `${curl} --noproxy '*' ${url}/ 2>&1 | tail -1`,
      "env -u http_proxy -u HTTP_PROXY curl -sS -m 5 http://1.1.1.1/ 2>&1 | grep -ci 'connect'",
      "cat /proc/self/status | grep -E 'CapEff|NoNewPrivs|Seccomp:' | tr -d '\\t' | tr '\\n' ' '",
      "echo; ls -ld /run/kurisu-egress | cut -c1-10; touch /run/kurisu-egress/x 2>&1 | grep -o 'Read-only file system'",
      "rm -f /run/kurisu-egress/proxy.sock 2>&1 | grep -o 'Read-only file system'",
    ];
    const outcome = await bench.run(probes.join("\n"), { network });
    expect(outcome.stdout.trim().split("\n")).toEqual([
      "interfaces lo",
      "routes 0",
      "unreachable",
      "unreachable",
      "no name",
      "000",
      "1",
      "CapEff:0000000000000000 NoNewPrivs:1 Seccomp:2 ",
      "drwx------",
      "Read-only file system",
      "Read-only file system",
    ]);
    expect(site.connections()).toBe(0);
    expect(way.looked).toEqual([]);
  });

  it("gains nothing by speaking to the socket itself", async () => {
    const site = await startEgressSite((_, response) => response.end("reached"));
    const { bench } = await createBenches();
    const direct = "--unix-socket /run/kurisu-egress/proxy.sock --noproxy '*'";
    const tries = [
      `${curl} ${direct} http://evil.test-site.net:8080/`,
      `${curl} ${direct} --request-target http://evil.test-site.net:8080/ -H 'Host: public.test-site.net:8080' http://x/`,
      `${curl} ${direct} --request-target http://public.test-site.net:8080/ -H 'Host: evil.test-site.net' http://x/`,
    ];
    const outcome = await bench.run(tries.join("; "), { network });
    expect(outcome.stdout.match(/403|200/g)).toEqual(["403", "403", "200"]);
    expect(site.requests.map((request) => request.headers.host)).toEqual(["public.test-site.net:8080"]);
  });

  it("only the command itself reaches its socket: no session, no later and no other command", async () => {
    await startEgressSite((_, response) => response.end("reached"));
    const { bench, way } = await createBenches();
    const look = "ls -A /run/kurisu-egress 2>&1; env | grep -ic proxy; (echo x > /dev/tcp/127.0.0.1/3128) 2>&1 | wc -l";
    const none = { stdout: "ls: cannot access '/run/kurisu-egress': No such file or directory\n0\n2\n" };
    const { outcome } = await bench.begin("echo begun; exec sleep 300", { network });
    expect(way.folders()).toHaveLength(1);
    const other = { session: "other", workspace: await bench.makeWorkspace() };
    expect(await bench.run(look, other)).toMatchObject(none);
    expect(await bench.run(look, { ...other, fresh: true })).toMatchObject(none);
    const theirs = await bench.run(`ls /run/kurisu-egress; ${curl} ${url}/`, {
      ...other,
      network: ["else.example.net"],
    });
    expect(theirs.stdout).toContain("403");
    expect(way.folders()).toHaveLength(1);
    await bench.sandbox.stop();
    expect(await outcome).toEqual({ kind: "stopped", started: true });
    await expectNothingLeft(bench, way);
  });

  it("leaves nothing behind in the session's container, which never had a network", async () => {
    await startEgressSite((_, response) => response.end("reached"));
    const { bench, way } = await createBenches();
    await bench.run(`(setsid sleep 300 &) ; ${curl} ${url}/`, { network });
    const after = await bench.run(`${curl} ${url}/ 2>&1 | tail -1; cat /proc/[0-9]*/comm | grep -c sleep`);
    expect(after.stdout).toBe("000\n0\n");
    await expectNothingLeft(bench, way);
  });

  it("the way out is gone when the command ends by time, output, the relay's death or a fork bomb", async () => {
    const { bench, way } = await createBenches();
    const ends: readonly [string, Partial<SandboxCommand>, object][] = [
      ["sleep 300", { timeoutMs: 1500 }, { kind: "finished", timedOut: true }],
      ["yes", {}, { kind: "finished", truncated: true }],
      ["kill -9 $(grep -l kurisu-relay /proc/[0-9]*/comm | cut -d/ -f3); true", {}, { exitCode: 0 }],
      [":(){ :|:& };:; sleep 1", { timeoutMs: 6000 }, { kind: "finished" }],
    ];
    for (const [command, more, end] of ends) {
      expect([command, await bench.start(command, { network, ...more })]).toMatchObject([command, end]);
      await expectNothingLeft(bench, way);
    }
  });

  it("reports the command's own exit code, and stands where it was told to", async () => {
    const { bench } = await createBenches();
    await bench.run("mkdir sub");
    expect(await bench.run("pwd; exit 7", { network, cwd: "./sub" })).toMatchObject({
      stdout: "/workspace/sub\n",
      exitCode: 7,
    });
    // What the command did not start is no child of its.
    expect((await bench.run("jobs; cat /proc/$$/task/$$/children; wait; echo done", { network })).stdout).toMatch(
      /^(?:\d+ )?done\n$/,
    );
  });

  it("the command does not run where network is switched off", async () => {
    const bench = await createSandboxBench();
    expect(await bench.start("touch made", { network })).toMatchObject({ kind: "unavailable", started: false });
    expect(readdirSync(bench.workspace)).toEqual([]);
    expect((await bench.run("echo fine", { network: [] })).stdout).toBe("fine\n");
  });

  it("waits its turn for the workspace, as every other", async () => {
    const { bench } = await createBenches();
    await Promise.all([
      bench.run("echo a >> order; sleep 0.3; echo a >> order", { network }),
      bench.run("echo b >> order; sleep 0.3; echo b >> order", { network }),
      bench.run("echo c >> order; sleep 0.3; echo c >> order"),
    ]);
    const { stdout } = await bench.run("uniq -c < order | awk '{ print $1 }'");
    expect(stdout).toBe("2\n2\n2\n");
  });
});
