import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { ToolOptions } from "../../kernel/tools/tool-options.ts";
import type { Browser } from "../../web/browser/open-page.ts";
import { openAddress } from "../../web/browser/open-address.ts";
import { nameHosts } from "../../web/name-hosts.ts";
import { takePicture } from "../../web/browser/take-picture.ts";

const limitMs = 40_000;

/** Shows what a page looks like. */
export function createScreenshotTool({
  browser,
  width: usualWidth = 1280,
  height: usualHeight = 800,
}: { readonly browser: Browser } & Pick<ToolOptions, "width" | "height">) {
  return defineTool({
    name: "screenshot",
    kind: "fetch",
    description: {
      zh: "打开一个公开网页并截图。要看文字内容用 fetch,更快;要看样子、图表、排版用这个。",
      en: "Open a public web page and take a picture of it. For its words use fetch, which is faster; this is for looks, charts, layout.",
    },
    input: z.strictObject({
      url: z.string().min(1).max(4096).describe("Address, with https://."),
      width: z.number().int().min(200).max(2560).default(usualWidth).describe("Width of the window, 200 to 2560."),
      height: z.number().int().min(200).max(2560).default(usualHeight).describe("Height of the window, 200 to 2560."),
      full_page: z.boolean().default(false).describe("The whole page instead of the first window."),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    taint: "untrusted",
    place: "network",
    timeoutMs: limitMs + 50_000,
    summarize: ({ url }) => url,
    reaches: ({ url }) => [url],
    availability: () => browser.availability(),
    async run({ url, width, height, full_page: fullPage }, { signal }) {
      const outcome = await browser.withPage({ width, height, signal, limitMs }, async (opened) => {
        const found = await openAddress(opened, url);
        if (!found.ok) return found;
        const picture = await takePicture(opened.page, fullPage);
        return { ...found, picture };
      });
      if (!outcome.ok) return { ok: false, error: outcome.reason };
      if (!outcome.value.ok) return { ok: false, error: outcome.value.reason };
      const { picture, url: shown, title, status } = outcome.value;
      return {
        ok: true,
        output: { url: shown, title, status },
        parts: [picture],
        message: `picture of ${shown}`,
        display: { kind: "image", title: nameHosts([shown]).join(", ") },
        sources: nameHosts([url, shown]),
      };
    },
  });
}
