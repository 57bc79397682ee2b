import type { Page } from "playwright-core";
import type { MediaPart } from "../../core/content-part.ts";

/** Pixels of a page that is shown whole; models see no more of longer ones anyway. */
const maxPageLength = 8_000;
/** Bytes of base64 that model servers and platforms take. */
const maxPictureSize = 3_500_000;

/** PNG, or JPEG when that would be too large. */
export async function takePicture(page: Page, fullPage: boolean): Promise<MediaPart & { readonly type: "image" }> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  const tall = fullPage ? await page.evaluate("document.documentElement.scrollHeight") : size.height;
  const height = Math.min(Math.max(Number(tall) || 0, size.height), maxPageLength);
  if (height > size.height) await page.setViewportSize({ width: size.width, height });
  const options = { animations: "disabled", caret: "hide", timeout: 15_000 } as const;
  const png = await page.screenshot({ ...options, type: "png" });
  if (png.length * (4 / 3) <= maxPictureSize)
    return { type: "image", mimeType: "image/png", data: png.toString("base64") };
  const jpeg = await page.screenshot({ ...options, type: "jpeg", quality: 60 });
  return { type: "image", mimeType: "image/jpeg", data: jpeg.toString("base64") };
}
