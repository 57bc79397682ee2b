import type { Page } from "playwright-core";

/** The rows in the view of the transcript. */
export interface Sight {
  readonly rows: number;
  readonly first: string;
  readonly last: string;
  readonly top: number;
  readonly toEnd: number;
}

/** The part of the conversation that a person sees now. */
export const look = (page: Page): Promise<Sight> =>
  page.evaluate<Sight>(`(() => {
    const flow = document.querySelector(".flow");
    const edge = flow.getBoundingClientRect();
    const rows = [...flow.querySelectorAll("[data-position]")];
    const seen = rows.filter((row) => {
      const { bottom, top } = row.getBoundingClientRect();
      return bottom > edge.top + 20 && top < edge.bottom;
    });
    return {
      rows: rows.length,
      first: seen[0]?.dataset.position ?? "",
      last: seen.at(-1)?.dataset.position ?? "",
      top: flow.scrollTop,
      toEnd: flow.scrollHeight - flow.clientHeight - flow.scrollTop,
    };
  })()`);

export const scrollBy = async (page: Page, distance: number) => {
  await page.evaluate(`document.querySelector(".flow").scrollTop += ${distance}`);
  await page.waitForTimeout(60);
};
