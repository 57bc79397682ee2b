import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { callServer } from "./call-server.ts";
import { followChanges } from "./live.ts";

export interface ReadView<View> {
  readonly view: ReadonlySignal<View | undefined>;
  /** The last read had no answer, so the view is an older one. */
  readonly isLost: ReadonlySignal<boolean>;
  readonly read: () => Promise<void>;
}

/** Reads a route, and reloads it when one of these topics or the path changes. */
export function useView<View>(
  path: `/${string}`,
  topics: readonly string[],
  onSignedOut: () => void,
  pauseMs?: number,
): ReadView<View> {
  const view = useSignal<View | undefined>(undefined);
  const isLost = useSignal(false);
  const begun = useSignal(0);
  const shown = useSignal(0);

  async function read(): Promise<void> {
    const turn = (begun.value += 1);
    const answer = await callServer<View>("GET", path);
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    // A read that began earlier may come back later.
    if (turn < shown.value) return;
    shown.value = turn;
    isLost.value = answer.kind !== "ok";
    if (answer.kind === "ok") view.value = answer.view;
  }
  useEffect(() => {
    void read();
    return followChanges(topics, () => void read(), pauseMs);
  }, [path]);
  return { view, isLost, read };
}
