import type { MediaPart } from "../../../core/content-part.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { openAddress, settle } from "../../../web/browser/open-address.ts";
import { describePageFault, type OpenedPage } from "../../../web/browser/open-page.ts";
import { takePicture } from "../../../web/browser/take-picture.ts";
import { convertAside } from "../fetch/convert-aside.ts";

export type BrowserStep =
  | { readonly action: "open"; readonly url: string }
  | { readonly action: "click"; readonly target: string }
  | { readonly action: "type"; readonly target: string; readonly text: string; readonly submit: boolean }
  | { readonly action: "read"; readonly target?: string | undefined }
  | { readonly action: "screenshot"; readonly full_page: boolean };

type StepOutcome =
  | { readonly kind: "done"; readonly output: JsonObject; readonly picture?: MediaPart }
  | { readonly kind: "failed"; readonly error: string };

/** Characters of a page's source that are turned into Markdown. */
const maxSourceLength = 2_000_000;

/** One action as a person would do it. Errors of the page are data; only a lost browser throws. */
export async function takeStep(opened: OpenedPage, step: BrowserStep, signal: AbortSignal): Promise<StepOutcome> {
  try {
    return await take(opened, step, signal);
  } catch (error) {
    if (opened.page.isClosed()) throw error;
    return { kind: "failed", error: describePageFault(error, opened.refused()) };
  }
}

async function take(opened: OpenedPage, step: BrowserStep, signal: AbortSignal): Promise<StepOutcome> {
  const { page } = opened;
  switch (step.action) {
    case "open": {
      const found = await openAddress(opened, step.url);
      if (!found.ok) return { kind: "failed", error: found.reason };
      const { url, title, status } = found;
      return { kind: "done", output: { url, title, status } };
    }
    case "click":
      await page.locator(step.target).first().click();
      await settle(page);
      return { kind: "done", output: { url: page.url(), title: await page.title() } };
    case "type": {
      const field = page.locator(step.target).first();
      await field.fill(step.text);
      if (step.submit) {
        await field.press("Enter");
        await settle(page);
      }
      return { kind: "done", output: { url: page.url() } };
    }
    case "read": {
      if (step.target !== undefined) {
        return { kind: "done", output: { text: await page.locator(step.target).first().innerText() } };
      }
      const html = (await page.content()).slice(0, maxSourceLength);
      const text = await convertAside({ html, url: page.url(), format: "markdown" }, signal);
      if (text === undefined) return { kind: "failed", error: "The page could not be read; name a target." };
      return { kind: "done", output: { url: page.url(), text } };
    }
    case "screenshot":
      return { kind: "done", output: { url: page.url() }, picture: await takePicture(page, step.full_page) };
  }
}
