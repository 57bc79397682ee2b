// full: needs a browser
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAddress } from "../../src/web/browser/open-address.ts";
import { createHostBrowser } from "../../src/web/browser/host-browser.ts";
import { createBrowser } from "../../src/web/browser/open-page.ts";
import { listBrowserPlaces } from "../support/browser-places.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { allowSites, startSite, type TestSite } from "../support/web-server.ts";
import { patienceMs } from "../support/patience.ts";

const never = new AbortController().signal;
const request = { width: 800, height: 600, signal: never, limitMs: 60_000 };

/** Counts datagrams, as a TURN or QUIC server would. */
async function startDatagrams() {
  const socket = createSocket("udp4");
  let received = 0;
  socket.on("message", () => (received += 1));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, received: () => received };
}

/** A page that tries every way out that a page has. `attempts` of them report back to the page's own site. */
const greedyPage = (secret: TestSite, udp: number): string => `<!doctype html><title>greedy</title>
<link rel="stylesheet" href="${secret.origin}/style"><link rel="prefetch" href="${secret.origin}/prefetch">
<link rel="dns-prefetch" href="//dns.example"><link rel="preconnect" href="${secret.origin}">
<img src="${secret.origin}/image"><img src="/to-secret"><iframe src="${secret.origin}/frame"></iframe>
<iframe src="/to-secret"></iframe><iframe src="file:///etc/passwd"></iframe><video src="${secret.origin}/video"></video>
<object data="${secret.origin}/object"></object><script src="${secret.origin}/script"></script>
<a id="download" target="_blank" download href="${secret.origin}/download">x</a><a ping="${secret.origin}/ping" href="#" id="ping">x</a>
<form id="form" method="post" action="${secret.origin}/form" target="shot"></form><iframe name="shot"></iframe>
<script type="module">
const done = [];
const attempt = async (name, work) => { document.title = name; try { await work(); } catch {} done.push(name); };
const settle = (ms) => new Promise((go) => setTimeout(go, ms));
for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "2130706433"]) {
  await attempt("fetch", () => fetch("http://" + host + ":${secret.port}/fetch", { mode: "no-cors" }));
}
await attempt("metadata", () => fetch("http://169.254.169.254/latest/meta-data/", { mode: "no-cors" }));
await attempt("redirect", () => fetch("/to-secret", { mode: "no-cors" }));
await attempt("file", () => fetch("file:///etc/passwd"));
await attempt("socket", () => new Promise((go) => { const s = new WebSocket("ws://127.0.0.1:${secret.port}/socket"); s.onclose = s.onerror = go; }));
await attempt("events", () => new Promise((go) => { const s = new EventSource("${secret.origin}/events"); s.onerror = () => { s.close(); go(); }; }));
await attempt("beacon", () => navigator.sendBeacon("${secret.origin}/beacon", "x"));
await attempt("worker", () => new Promise((go) => {
  const text = "fetch('${secret.origin}/worker',{mode:'no-cors'}).catch(()=>0).then(()=>postMessage(1))";
  new Worker(URL.createObjectURL(new Blob([text]))).onmessage = go;
}));
await attempt("service worker", () => navigator.serviceWorker.register("/service-worker.js"));
await attempt("peer", async () => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${udp}" }, { urls: "turn:127.0.0.1:${udp}", username: "a", credential: "b" }, { urls: "turn:127.0.0.1:${secret.port}?transport=tcp", username: "a", credential: "b" }] });
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
  await settle(1500);
});
await attempt("transport", async () => {
  const transport = new WebTransport("https://127.0.0.1:${udp}/x");
  await Promise.race([transport.ready, settle(1500)]);
});
await attempt("download", () => document.getElementById("download").click());
await attempt("ping", () => document.getElementById("ping").click());
await attempt("form", () => document.getElementById("form").submit());
await attempt("window", () => window.open("${secret.origin}/window"));
await settle(300);
await fetch("/done?" + done.length);
document.title = "tried " + done.length;
</script>`;

describe.each(await listBrowserPlaces())("the browser $name", ({ isThere, create }) => {
  it.runIf(isThere)("lets no byte of a page reach what is not public, whatever the page tries", async () => {
    const secret = await startSite((_request, response) => response.end("secret"));
    const datagrams = await startDatagrams();
    const site = await startSite((incoming, response) => {
      if (incoming.url === "/") {
        response.writeHead(200, { "content-type": "text/html" }).end(greedyPage(secret, datagrams.port));
      } else if (incoming.url === "/to-secret")
        response.writeHead(302, { location: `${secret.origin}/redirected` }).end();
      else if (incoming.url === "/service-worker.js") {
        const text = `self.addEventListener("install", () => fetch("${secret.origin}/service", { mode: "no-cors" }));`;
        response.writeHead(200, { "content-type": "text/javascript" }).end(text);
      } else response.end("ok");
    });
    const { place } = await create();
    const browser = createBrowser({ place, allowAddress: allowSites(site) });
    const outcome = await browser.withPage(request, async (opened) => {
      const { page, refused } = opened;
      const found = await openAddress(opened, `${site.origin}/`);
      await page.waitForFunction("document.title.startsWith('tried')", undefined, { timeout: patienceMs });
      return { opened: found, title: await page.title(), refused: refused() };
    });
    expect(outcome).toMatchObject({ ok: true, value: { opened: { ok: true, status: 200 }, title: "tried 20" } });
    expect(site.requests.map(({ url }) => url)).toContain("/done?20");
    expect([secret.connections(), datagrams.received()]).toEqual([0, 0]);
    expect(outcome.ok && outcome.value.refused).toContain(`127.0.0.1:${secret.port}`);
  });

  it.runIf(isThere)("opens none of these for the person either", async () => {
    const secret = await startSite((_request, response) => response.end("secret"));
    const site = await startSite((_request, response) => {
      response.writeHead(302, { location: `${secret.origin}/` }).end();
    });
    const addresses = [
      `${secret.origin}/`,
      `http://localhost:${secret.port}/`,
      `${site.origin}/`,
      "file:///etc/passwd",
      "chrome://version",
      "view-source:http://example.com/",
      "http://169.254.169.254/",
      "data:text/html,x",
    ];
    const { place } = await create();
    const outcome = await createBrowser({ place, allowAddress: allowSites(site) }).withPage(request, async (page) => {
      const opened: boolean[] = [];
      for (const address of addresses) {
        const one = await openAddress(page, address);
        opened.push(one.ok);
      }
      return opened;
    });
    expect(outcome).toEqual({ ok: true, value: addresses.map(() => false) });
    expect(secret.connections()).toBe(0);
  });

  it.runIf(isThere)("forgets everything between two calls, and leaves no process and no folder", async () => {
    const cookies: (string | undefined)[] = [];
    const site = await startSite((incoming, response) => {
      cookies.push(incoming.headers.cookie);
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b; Max-Age=999" }).end("<p>hi");
    });
    const { place, leftovers } = await create();
    const browser = createBrowser({ place, allowAddress: allowSites(site) });
    const visit = () => browser.withPage(request, (opened) => openAddress(opened, `${site.origin}/`));
    // Both at once: they take turns.
    expect((await Promise.all([visit(), visit()])).map(({ ok }) => ok)).toEqual([true, true]);
    expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([]);
    await expect.poll(leftovers).toEqual([]);
  });

  it.runIf(isThere)(
    "the browser is gone as soon as it is told to stop, or the time is up, however the page holds on",
    async () => {
      const stop = new AbortController();
      const site = await startSite((incoming, response) => {
        if (incoming.url === "/busy") return stop.abort(new Error("stop"));
        response
          .writeHead(200, { "content-type": "text/html" })
          .end("<script>onbeforeunload=()=>1;fetch('/busy');setTimeout(()=>{for(;;);},50)</script>busy");
      });
      const { place, leftovers } = await create();
      const browser = createBrowser({ place, allowAddress: allowSites(site) });
      const stay = (signal: AbortSignal, limitMs: number) =>
        browser.withPage({ ...request, signal, limitMs }, async (opened) => {
          await openAddress(opened, `${site.origin}/`);
          await opened.page.evaluate("new Promise(() => {})");
        });
      expect(await stay(stop.signal, 60_000)).toEqual({ ok: false, reason: "Stopped." });
      expect(await stay(never, 4_000)).toMatchObject({ ok: false, reason: "The page took longer than 4 s." });
      await expect.poll(leftovers).toEqual([]);
    },
  );
});

describe.runIf(chromiumIsThere())("the browser on this machine", () => {
  it("gets none of our environment", async () => {
    process.env["KURISU_TEST_TOKEN"] = "canary-in-the-environment";
    onTestFinished(() => {
      delete process.env["KURISU_TEST_TOKEN"];
    });
    const outcome = await createBrowser({ place: createHostBrowser() }).withPage(request, async () =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
        .filter((pid) => {
          try {
            return (
              readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("playwright_chromiumdev_profile") &&
              readFileSync(`/proc/${pid}/environ`, "utf8").includes("canary-in-the-environment")
            );
          } catch {
            return false;
          }
        }),
    );
    expect(outcome).toEqual({ ok: true, value: [] });
  });
});

describe("without a browser", () => {
  it("says what to install, and names what was set", async () => {
    const browser = createBrowser({ place: createHostBrowser({ executable: "/nowhere/chromium" }) });
    expect(browser.availability()).toEqual({
      ok: false,
      reason: expect.stringContaining("/nowhere/chromium") as string,
    });
    expect((await browser.withPage(request, async () => 1)).ok).toBe(false);
  });
});
