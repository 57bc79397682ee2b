import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished, type TestContext } from "vitest";

/** Takes the work that ends something; called newest first. */
export type KeepUntil = (end: () => void | PromiseLike<void>) => void;

const ownKeep = new AsyncLocalStorage<KeepUntil>();

/** Outside a test: what `work` starts ends when `keep` says so. */
export const keepWith = <T>(keep: KeepUntil, work: () => Promise<T>): Promise<T> => ownKeep.run(keep, work);

/** The usual: everything a test started ends with it. Only inside a test, or in `keepWith`. */
export const untilTestEnds: KeepUntil = (end) => (ownKeep.getStore() ?? onTestFinished)(async () => end());

/**
 * The body of a test that runs beside others (`describe.concurrent`). Vitest takes the one that began last for the current
 * test; with this, what a test starts ends with that test, and its `expect` is its own.
 */
export function besideOthers<Row extends readonly unknown[]>(
  course: (own: Pick<TestContext, "expect">, ...row: Row) => Promise<void>,
): (...given: [...row: Row, own: TestContext]) => Promise<void> {
  return (...given) => {
    const { expect, onTestFinished: end } = given.at(-1) as TestContext;
    const row = given.slice(0, -1) as unknown as Row;
    return ownKeep.run(end, () => course({ expect }, ...row));
  };
}
