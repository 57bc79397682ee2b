import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished, type TestContext } from "vitest";

/** Takes the work that ends something; called newest first. */
export type KeepUntil = (end: () => void | PromiseLike<void>) => void;

type OwnTest = Pick<TestContext, "expect" | "onTestFinished">;

const ownTest = new AsyncLocalStorage<OwnTest>();

/** The usual: everything a test started ends with it. Only inside a test. */
export const untilTestEnds: KeepUntil = (end) => {
  const own = ownTest.getStore();
  if (own === undefined) onTestFinished(async () => end());
  else own.onTestFinished(async () => end());
};

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
    return ownTest.run({ expect, onTestFinished: end }, () => course({ expect }, ...row));
  };
}
