import type { Drafts } from "../../../views/trial-views.ts";
import type { PageWords } from "../../words/zh.ts";
import type { TrialsWords } from "../../words/trials/zh.ts";

/** Every panel gets these. */
export interface TrialParts {
  readonly words: PageWords;
  readonly say: TrialsWords;
  readonly persona: string;
  /** Texts that are not saved yet, by file. */
  readonly drafts: Drafts;
}
