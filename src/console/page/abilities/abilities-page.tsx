import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShowTime } from "../show-time.ts";
import type { PageWords } from "../words/zh.ts";
import { loadAbilities } from "./load-abilities.ts";

/** The page Abilities, once it has been loaded. */
export function AbilitiesPage(given: {
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly onSignedOut: () => void;
}) {
  const loaded = useSignal<Awaited<ReturnType<typeof loadAbilities>> | "lost" | undefined>(undefined);
  function load(): void {
    loaded.value = undefined;
    void loadAbilities().then(
      (page) => (loaded.value = page),
      () => (loaded.value = "lost"),
    );
  }
  useEffect(load, []);

  const { words } = given;
  if (loaded.value === undefined) return <h1>{words.loading}</h1>;
  if (loaded.value === "lost")
    return (
      <>
        <h1>{words.lost}</h1>
        <button class="btn" type="button" onClick={load}>
          {words.retry}
        </button>
      </>
    );
  const { Abilities, say } = loaded.value;
  return <Abilities {...given} say={say} />;
}
