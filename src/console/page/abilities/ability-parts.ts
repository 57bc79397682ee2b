import type { ShowTime } from "../show-time.ts";
import type { AbilityWords } from "../words/abilities/zh.ts";
import type { PageWords } from "../words/zh.ts";

/** Every part of the page gets these. */
export interface AbilityParts {
  readonly words: PageWords;
  readonly say: AbilityWords;
  readonly time: ShowTime;
}
