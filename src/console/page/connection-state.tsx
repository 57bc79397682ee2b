import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { connection, tryNow } from "./live.ts";
import type { PageWords } from "./words/zh.ts";

const dots = { live: "ready", connecting: "off", lost: "failed" } as const;

/** A dot and a word: whether what the page shows is so now. */
export function ConnectionState({ words }: { readonly words: PageWords }) {
  const { kind } = connection.value;
  return (
    <span class="live">
      <span class={`dot ${dots[kind]}`} />
      {words.connection[kind]}
    </span>
  );
}

/** Says that the connection is lost, and when it is tried again. The seconds are not read out. */
export function ConnectionBanner({ words }: { readonly words: PageWords }) {
  const state = connection.value;
  const now = useSignal(Date.now());
  const next = state.kind === "lost" ? state.next : undefined;
  useEffect(() => {
    if (next === undefined) return undefined;
    now.value = Date.now();
    const timer = setInterval(() => (now.value = Date.now()), 500);
    return () => clearInterval(timer);
  }, [next]);
  return (
    <div class={state.kind === "lost" ? "banner" : ""}>
      <span>
        <span role="status">{state.kind === "lost" && words.connection.cannotReach}</span>
        {state.kind === "lost" &&
          (next === undefined
            ? words.connection.trying
            : words.connection.again(Math.max(1, Math.ceil((next - now.value) / 1000))))}
      </span>
      {state.kind === "lost" && (
        <button class="link" type="button" disabled={next === undefined} onClick={tryNow}>
          {words.retry}
        </button>
      )}
    </div>
  );
}
