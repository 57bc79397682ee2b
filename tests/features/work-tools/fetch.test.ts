import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createFetchTool } from "../../../src/features/work-tools/fetch.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import type { ToolResult } from "../../../src/kernel/tools/types.ts";
import { createToolContext } from "../../support/tool-context.ts";
import { allowSites, startSite } from "../../support/web-server.ts";

interface Page {
  readonly body: string | Uint8Array;
  readonly type?: string;
  readonly status?: number;
}

/** What the tool answers for one page of a site on this machine. */
async function read(
  { body, type, status = 200 }: Page,
  given: Partial<Parameters<ReturnType<typeof createFetchTool>["run"]>[0]> = {},
): Promise<ToolResult> {
  const site = await startSite((_request, response) => {
    response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);
  });
  const tool = createFetchTool({ guardedFetch: createGuardedFetch({ allowAddress: allowSites(site) }) });
  const input = { url: `${site.origin}/dir/page`, max_bytes: 200_000, format: "markdown", ...given } as const;
  return tool.run(input, createToolContext());
}

const contentOf = (result: ToolResult): string =>
  result.ok ? (result.output as { content: string }).content : result.error;

const html = (body: string, head = ""): Page => ({
  type: "text/html; charset=utf-8",
  body: `<!doctype html><html><head><title>Notes on time</title>${head}</head><body>${body}</body></html>`,
});

// "你好，世界" and "こんにちは", as an editor on an old Windows would write them.
const chinese = { gb18030: "c4e3bac3a3accac0bde7", big5: "a741a66ea141a540acc9" } as const;
const japanese = "82b182f182c982bf82cd";

describe("fetch", () => {
  it("turns a page into Markdown: words, links from where they stand, tables, code; no scripts, no frame", async () => {
    const page = html(`
      <nav><a href="/home">Home</a></nav>
      <main><h1>Notes on time</h1><p>Hello <b>bold</b> <a href="a?b#c">link</a> <a href="javascript:x()">bad</a></p>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
      <pre><code class="language-js">let a = 1;</code></pre><script>alert(1)</script><style>b{}</style></main>
      <footer>Imprint</footer>`);
    const result = await read(page);
    const content = contentOf(result);
    expect(content).toMatch(
      /^# Notes on time\n\nHello \*\*bold\*\* \[link\]\(http:\/\/127\.0\.0\.1:\d+\/dir\/a\?b#c\) bad\n/,
    );
    expect(content).toContain("| 1   | 2   |");
    expect(content).toContain("```js\nlet a = 1;\n```");
    expect(content).not.toMatch(/alert|javascript|Imprint|Home|b\{\}/);
    expect(result).toMatchObject({ ok: true, output: { status: 200, truncated: false } });
  });

  it("gives the words alone, or the source as it was sent", async () => {
    const page = html("<p>one <b>two</b></p><ul><li>three<li>four</ul>");
    expect(contentOf(await read(page, { format: "text" }))).toBe("Notes on time\n\none two\nthree\nfour");
    expect(contentOf(await read(page, { format: "raw" }))).toBe(page.body);
  });

  it.each([
    ["the header", "text/html; charset=gb18030", `<p>`, chinese.gb18030, "你好，世界"],
    ["the page", "text/html", `<meta charset="gb2312"><p>`, chinese.gb18030, "你好，世界"],
    [
      "the page's older way",
      "text/html",
      `<meta http-equiv="Content-Type" content="text/html; charset=big5"><p>`,
      chinese.big5,
      "你好，世界",
    ],
    ["the header", "text/html; charset=Shift_JIS", `<p>`, japanese, "こんにちは"],
    ["nobody", "text/html", `<p>`, chinese.gb18030, "你好，世界"],
    ["a header that lies about nothing we know", "text/html; charset=klingon", `<p>`, chinese.gb18030, "你好，世界"],
    ["nobody, in plain text", "text/plain", "", chinese.gb18030, "你好，世界"],
  ])("reads an old encoding that is named by %s", async (_who, type, before, hex, words) => {
    const body = Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex")]);
    expect(contentOf(await read({ type, body }))).toBe(words);
  });

  it("reads UTF-16 by its mark", async () => {
    const body = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("时间", "utf16le")]);
    expect(contentOf(await read({ type: "text/plain", body }))).toBe("时间");
  });

  it.each([
    ["application/json", '{"a":[1,2]}'],
    ["application/ld+json; charset=utf-8", '{"@id":1}'],
    ["text/plain", "# not <b>HTML</b>"],
    ["text/csv", "a,b\n1,2"],
    ["application/rss+xml", "<rss><channel/></rss>"],
  ])("passes %s through", async (type, body) => {
    expect(contentOf(await read({ type, body }))).toBe(body);
  });

  it.each([
    ["image/png", Buffer.from("89504e470d0a1a0a", "hex"), "image/png"],
    ["application/pdf", "%PDF-1.7", "application/pdf"],
    ["application/zip", "PK", "application/zip"],
    ["application/octet-stream", Buffer.from([1, 0, 2]), "binary data"],
    ["text/plain", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), "binary data"],
  ])("refuses %s with a sentence", async (type, body, named) => {
    expect(await read({ type, body })).toMatchObject({
      ok: false,
      error: expect.stringContaining(`This is ${named}, not text`) as string,
    });
  });

  it("cuts at whole characters within max_bytes, and says so", async () => {
    const whole = await read({ type: "text/plain", body: "时间机器" }, { max_bytes: 12 });
    expect(whole).toMatchObject({ output: { content: "时间机器", truncated: false } });
    for (const format of ["markdown", "raw"] as const) {
      const cut = await read({ type: "text/plain", body: "时间机器" }, { max_bytes: 11, format });
      expect(cut).toMatchObject({ output: { content: "时间机", truncated: true } });
    }
  });

  it("tells the status of a page that is not there, and what it says", async () => {
    const result = await read({ ...html("<p>Nothing here</p>"), status: 404 });
    expect(result).toMatchObject({ ok: true, output: { status: 404 } });
    expect(contentOf(result)).toContain("Nothing here");
  });

  it("answers a page that needs more memory than there is with a sentence, and Kurisu lives on", async () => {
    // In a thread whose young generation has its usual size V8 ends the whole process over this one.
    const result = await read(html("<b>".repeat(660_000)));
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/\S/) });
  });

  it("gives up on a page made to take long, and answers others meanwhile", async () => {
    const deep = html("<div>".repeat(400_000));
    let alive = 0;
    const beat = setInterval(() => (alive += 1), 20);
    try {
      const result = await read(deep);
      expect(result.ok ? contentOf(result) : result.error).toMatch(/ask for format raw|Notes on time/);
      expect(alive).toBeGreaterThan(3);
    } finally {
      clearInterval(beat);
    }
  });

  it("reads an empty page, and one that is packed", async () => {
    expect(await read({ type: "text/html", body: "" })).toMatchObject({ output: { content: "", truncated: false } });
    const site = await startSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipSync("packed"));
    });
    const tool = createFetchTool({ guardedFetch: createGuardedFetch({ allowAddress: allowSites(site) }) });
    const input = { url: `${site.origin}/`, max_bytes: 100, format: "markdown" } as const;
    expect(contentOf(await tool.run(input, createToolContext()))).toBe("packed");
  });

  it("fetch refuses forbidden addresses and labels its results as untrusted", async () => {
    const site = await startSite((_request, response) => response.end("secret"));
    const tool = createFetchTool({ guardedFetch: createGuardedFetch() });
    const input = { max_bytes: 100, format: "markdown" } as const;
    for (const url of [`${site.origin}/`, "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd"]) {
      expect((await tool.run({ ...input, url }, createToolContext())).ok).toBe(false);
    }
    expect(site.connections()).toBe(0);
    expect(tool).toMatchObject({
      taint: "untrusted",
      readOnly: true,
      level: "safe",
      aliases: ["FetchURL", "web_fetch"],
    });
  });
});
