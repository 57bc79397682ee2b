import { Client } from "pg";
import { onTestFinished } from "vitest";

/** What went to Postgres, each in a round trip of its own. */
export interface RoundTrips {
  readonly texts: readonly string[];
  /** Forgets what was counted so far. */
  reset(): void;
}

type Query = (...given: unknown[]) => unknown;

/** Counts what every connection sends once it is open, until the test is over. */
export function countRoundTrips(): RoundTrips {
  let texts: string[] = [];
  const driver: { query: Query } = Client.prototype;
  const { query } = driver;
  driver.query = function (this: Client, ...given) {
    const [sent] = given as [string | { readonly text: string; readonly query_timeout?: number }];
    if (typeof sent === "string") texts.push(sent);
    else if (sent.query_timeout === undefined) texts.push(sent.text);
    return query.apply(this, given);
  };
  onTestFinished(() => {
    driver.query = query;
  });
  return {
    get texts() {
      return texts;
    },
    reset() {
      texts = [];
    },
  };
}
