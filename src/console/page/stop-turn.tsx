import { useSignal } from "@preact/signals";
import { callServer } from "./call-server.ts";
import { connection } from "./live.ts";
import type { PageWords } from "./words/zh.ts";

/** Ends what runs or waits in a conversation. */
export function StopTurn({ session, words }: { readonly session: string; readonly words: PageWords }) {
  const say = words.chats;
  const state = useSignal<"ready" | "stopping" | "failed" | "idle">("ready");

  async function stop(): Promise<void> {
    state.value = "stopping";
    const answer = await callServer<{ readonly stopped: boolean }>(
      "POST",
      `/sessions/${encodeURIComponent(session)}/stop`,
      {},
    );
    state.value = answer.kind !== "ok" ? "failed" : answer.view.stopped ? "ready" : "idle";
  }

  return (
    <>
      <span role="status">
        {state.value === "failed" ? say.notStopped : state.value === "idle" ? say.nothingRuns : ""}
      </span>
      <button
        class="btn"
        type="button"
        disabled={state.value === "stopping" || connection.value.kind !== "live"}
        onClick={() => void stop()}
      >
        {state.value === "stopping" ? say.stopping : say.stopTurn}
      </button>
    </>
  );
}
