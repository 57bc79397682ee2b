import type { PressResult } from "../../channels/types.ts";

/** The short text for the presser, and the result of the press. */
export interface PressAnswer {
  readonly text: string;
  readonly result: PressResult;
}
