// full: needs a browser
import { describe, expect, it } from "vitest";
import { createBrowserTool } from "../../../src/features/work-tools/browser.ts";
import { createScreenshotTool } from "../../../src/features/work-tools/screenshot.ts";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import type { Tool, ToolResult } from "../../../src/kernel/tools/types.ts";
import { createHostBrowser } from "../../../src/web/browser/host-browser.ts";
import { createBrowser } from "../../../src/web/browser/open-page.ts";
import { chromiumIsThere } from "../../support/chromium.ts";
import { createToolContext } from "../../support/tool-context.ts";
import { allowSites, startSite, type TestSite } from "../../support/web-server.ts";

const shop = `<!doctype html><html lang="zh"><title>实验室</title><body style="margin:0;background:rgb(255,0,0)">
<h1>未来道具研究所</h1><form action="/found"><label>找<input name="q" aria-label="Search"></label></form>
<a href="/second">下一页</a><div style="height:3000px"></div><p id="end">尽头</p></body></html>`;

const startShop = (): Promise<TestSite> =>
  startSite((request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    const url = new URL(request.url ?? "/", "http://shop");
    if (url.pathname === "/found")
      response.end(`<title>found</title><p>You looked for ${url.searchParams.get("q")}</p>`);
    else if (url.pathname === "/second") response.end("<title>second</title><p>第二页</p>");
    else response.end(shop);
  });

async function call(tool: Tool, given: object): Promise<ToolResult> {
  const parsed = parseArguments(tool, given as never);
  if (!parsed.ok) throw new Error(parsed.error);
  return tool.run(parsed.input, createToolContext());
}

/** Width and height of a PNG (its first chunk). */
function sizeOf(result: ToolResult): readonly number[] {
  const part = result.ok ? result.parts?.[0] : undefined;
  const bytes = Buffer.from(part?.data ?? "", "base64");
  expect(part?.mimeType).toBe("image/png");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe.runIf(chromiumIsThere())("screenshot", () => {
  it("shows a page, in the size asked for or whole", async () => {
    const site = await startShop();
    const tool = createScreenshotTool({
      browser: createBrowser({ place: createHostBrowser(), allowAddress: allowSites(site) }),
    }) as Tool;
    const one = await call(tool, { url: `${site.origin}/`, width: 640, height: 480 });
    expect(one).toMatchObject({ ok: true, output: { title: "实验室", status: 200, url: `${site.origin}/` } });
    expect(sizeOf(one)).toEqual([640, 480]);
    const [width, height] = sizeOf(
      await call(tool, { url: `${site.origin}/`, width: 640, height: 480, full_page: true }),
    );
    expect(width).toBe(640);
    expect(height).toBeGreaterThan(3000);
  });

  it("says why there is no picture", async () => {
    const site = await startShop();
    const tool = createScreenshotTool({ browser: createBrowser({ place: createHostBrowser() }) }) as Tool;
    for (const url of [`${site.origin}/`, "http://169.254.169.254/", "file:///etc/passwd", "http://nas.local/"]) {
      const result = await call(tool, { url });
      expect(result.ok ? "" : result.error).toMatch(/public|http:\/\/ or https:|can(?:not)? be opened|private network/);
    }
    expect(site.connections()).toBe(0);
  });
});

describe.runIf(chromiumIsThere())("browser", () => {
  it("opens, types, clicks, reads and shows, step by step", async () => {
    const site = await startShop();
    const tool = createBrowserTool({
      browser: createBrowser({ place: createHostBrowser(), allowAddress: allowSites(site) }),
    }) as Tool;
    const result = await call(tool, {
      url: `${site.origin}/`,
      steps: [
        { action: "read", target: "h1" },
        { action: "type", target: "input[name=q]", text: "时间机器", submit: true },
        { action: "read" },
        { action: "open", url: `${site.origin}/` },
        { action: "click", target: "text=下一页" },
        { action: "screenshot" },
      ],
    });
    const steps = result.ok ? (result.output as { steps: object[] }).steps : [];
    expect(result.ok ? "" : result.error).toBe("");
    expect(steps[1]).toEqual({ action: "read", text: "未来道具研究所" });
    expect(steps[3]).toMatchObject({ action: "read", text: "# found\n\nYou looked for 时间机器" });
    expect(steps[5]).toMatchObject({ action: "click", url: `${site.origin}/second`, title: "second" });
    expect(sizeOf(result)).toEqual([1280, 800]);
  });

  it("the browser reads the page of a bare address, and tells which step failed after what it has done", async () => {
    const site = await startShop();
    const tool = createBrowserTool({
      browser: createBrowser({ place: createHostBrowser(), allowAddress: allowSites(site) }),
    }) as Tool;
    const read = await call(tool, { url: `${site.origin}/second` });
    expect(read).toMatchObject({ output: { steps: [{ status: 200 }, { text: "# second\n\n第二页" }] } });
    const failed = await call(tool, { url: `${site.origin}/`, steps: [{ action: "open", url: "http://10.0.0.1/" }] });
    expect(failed).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Step 2 \(open\) failed: .*not a public site/) as string,
      output: { steps: [{ action: "open", status: 200 }] },
    });
  });
});

describe("the question about the browser", () => {
  const tool = createBrowserTool({ browser: createBrowser({ place: createHostBrowser() }) }) as Tool;

  it("lists every step with its exact words", () => {
    const parsed = parseArguments(tool, {
      url: "https://a.example/",
      steps: [
        { action: "type", target: "#q", text: 'a"\nb', submit: true },
        { action: "click", target: "text=Buy" },
      ],
    });
    expect(parsed.ok && tool.detail?.(parsed.input, "zh")).toBe(
      'open https://a.example/\ntype "a\\"\\nb" into #q and press Enter\nclick text=Buy',
    );
  });

  it("the call is refused without a question when nothing says where to begin", () => {
    for (const given of [{}, { steps: [{ action: "click", target: "a" }] }, { steps: [] }]) {
      expect(parseArguments(tool, given as never).ok).toBe(false);
    }
  });
});
