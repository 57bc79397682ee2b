import { countOf } from "../../core/words/count-of.ts";
import { z } from "zod";
import type { MediaPart } from "../../core/content-part.ts";
import type { JsonObject } from "../../core/conversation.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import { nameHosts } from "../../web/name-hosts.ts";
import type { Browser } from "../../web/browser/open-page.ts";
import { takeStep, type BrowserStep } from "./browser/take-step.ts";

const limitMs = 60_000;
const target = z
  .string()
  .min(1)
  .max(500)
  .describe('What on the page: a CSS selector, "text=Sign in", or "role=button[name=Search]".');
const address = z.string().min(1).max(4096);

const step = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("open"), url: address }),
  z.strictObject({ action: z.literal("click"), target }),
  z.strictObject({
    action: z.literal("type"),
    target,
    text: z.string().max(5000),
    submit: z.boolean().default(false).describe("Press Enter afterwards."),
  }),
  z.strictObject({ action: z.literal("read"), target: target.optional() }),
  z.strictObject({ action: z.literal("screenshot"), full_page: z.boolean().default(false) }),
]);

const input = z
  .strictObject({
    url: address.optional().describe("Page to start from, with https://."),
    steps: z.array(step).min(1).max(20).optional().describe("What to do, in order; read when left out."),
  })
  .refine(({ url, steps }) => url !== undefined || steps?.[0]?.action === "open", {
    error: "give a url, or begin the steps with open",
  });

export type BrowserInput = z.infer<typeof input>;

/** Uses a page as a person would; everything is forgotten at the end of the call. */
export function createBrowserTool({ browser }: { readonly browser: Browser }): Tool<BrowserInput> {
  return defineTool({
    name: "browser",
    kind: "fetch",
    description: {
      zh: "用真正的浏览器操作一个公开网页:依次打开、点击、输入、读取、截图。只给 url 就是打开并读取。每次调用都是全新的浏览器,要连着做的步骤放在一次调用里。",
      en: "Use a public web page in a real browser: open, click, type, read, screenshot, in this order of steps. With url alone it is opened and read. Every call is a fresh browser, so put steps that belong together into one call.",
    },
    input,
    level: "confirm",
    readOnly: false,
    idempotent: false,
    taint: "untrusted",
    place: "network",
    timeoutMs: limitMs + 50_000,
    summarize: (input) => listSteps(input).map(describeStep).join("; "),
    reaches: (input) => listSteps(input).flatMap((one) => (one.action === "open" ? [one.url] : [])),
    detail: (input) => listSteps(input).map(describeStep).join("\n"),
    availability: () => browser.availability(),
    async run(input, { signal, progress }) {
      const report: JsonObject[] = [];
      const pictures: MediaPart[] = [];
      let pictured = "";
      const request = { width: 1280, height: 800, signal, limitMs };
      const outcome = await browser.withPage(request, async (opened) => {
        for (const [index, one] of listSteps(input).entries()) {
          progress(describeStep(one));
          const outcome = await takeStep(opened, one, signal);
          if (outcome.kind === "failed") return `Step ${index + 1} (${one.action}) failed: ${outcome.error}`;
          report.push({ action: one.action, ...outcome.output });
          if (!outcome.picture) continue;
          pictures.push(outcome.picture);
          pictured = opened.page.url();
        }
        return undefined;
      });
      const failure = outcome.ok ? outcome.value : outcome.reason;
      if (failure !== undefined) return { ok: false, error: failure, output: { steps: report } };
      return {
        ok: true,
        output: { steps: report },
        // The host alone: a title would be a stranger's words in our caption.
        ...(pictures.length > 0 && {
          parts: pictures,
          display: { kind: "image", title: nameHosts([pictured]).join(", ") } as const,
        }),
        message: countOf(report.length, "step"),
      };
    },
  });
}

function listSteps({ url, steps = [{ action: "read" }] }: BrowserInput): readonly BrowserStep[] {
  return url === undefined ? steps : [{ action: "open", url }, ...steps];
}

/** A step takes one line, so that none can pose as two. */
function onOneLine(text: string): string {
  return /[\r\n]/u.test(text) ? JSON.stringify(text) : text;
}

function describeStep(one: BrowserStep): string {
  switch (one.action) {
    case "open":
      return `open ${onOneLine(one.url)}`;
    case "click":
      return `click ${onOneLine(one.target)}`;
    case "type":
      return `type ${JSON.stringify(one.text)} into ${onOneLine(one.target)}${one.submit ? " and press Enter" : ""}`;
    case "read":
      return one.target === undefined ? "read" : `read ${onOneLine(one.target)}`;
    case "screenshot":
      return one.full_page ? "screenshot of the whole page" : "screenshot";
  }
}
