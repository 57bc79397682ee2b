import { onTestFinished } from "vitest";

/** Takes the work that ends something; called newest first. */
export type KeepUntil = (end: () => void | PromiseLike<void>) => void;

/** The usual: everything a test started ends with it. Only inside a test. */
export const untilTestEnds: KeepUntil = (end) => onTestFinished(async () => end());
