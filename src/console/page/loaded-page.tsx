import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

export interface PageParts<Say> {
  readonly words: PageWords;
  /** The words of this page alone. */
  readonly say: Say;
  readonly time: ShowTime;
  readonly onSignedOut: () => void;
}

interface Loaded<Say> {
  readonly Page: ComponentType<PageParts<Say>>;
  readonly say: Say;
}

/** A page that is loaded when it is opened. */
export function LoadedPage<Say>({
  load,
  ...given
}: Omit<PageParts<Say>, "say"> & { readonly load: () => Promise<Loaded<Say>> }) {
  const loaded = useSignal<Loaded<Say> | "lost" | undefined>(undefined);
  function begin(): void {
    loaded.value = undefined;
    void load().then(
      (page) => (loaded.value = page),
      () => (loaded.value = "lost"),
    );
  }
  useEffect(begin, []);

  const { words } = given;
  if (loaded.value === undefined) return <h1>{words.loading}</h1>;
  if (loaded.value === "lost")
    return (
      <>
        <h1>{words.lost}</h1>
        <button class="btn" type="button" onClick={begin}>
          {words.retry}
        </button>
      </>
    );
  const { Page, say } = loaded.value;
  return <Page {...given} say={say} />;
}
