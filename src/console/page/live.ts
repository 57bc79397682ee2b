/** A kind of rows; `at` the rows of a session, where they have one. */
interface Change {
  readonly topic: string;
  readonly session?: string;
}

const everyMs = 15_000;

/** Calls back when something may have changed that the page shows. Answers how to end it. */
export function followChanges(topics: readonly string[], changed: (change: Change | undefined) => void): () => void {
  const look = () => {
    if (document.visibilityState === "visible" && topics.length > 0) changed(undefined);
  };
  const timer = setInterval(look, everyMs);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
