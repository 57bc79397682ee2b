import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { callServer } from "./call-server.ts";
import { connection } from "./live.ts";
import { go, pathTo } from "./router.ts";
import type { PageWords } from "./words/zh.ts";

/** Deletes a conversation, in a second step that asks for its name. */
export function DeleteSession({
  name,
  path,
  words,
}: {
  readonly name: string;
  readonly path: `/sessions/${string}`;
  readonly words: PageWords;
}) {
  const say = words.deletion;
  const isOpen = useSignal(false);
  const isBusy = useSignal(false);
  const typed = useSignal("");
  const told = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen.value) field.current?.focus();
  }, [isOpen.value]);
  const isOff = isBusy.value || connection.value.kind !== "live" || typed.value.trim() !== name;

  async function erase(): Promise<void> {
    isBusy.value = true;
    const answer = await callServer("DELETE", path, { name });
    isBusy.value = false;
    const isGone = answer.kind === "refused" && answer.status === 404;
    if (answer.kind === "ok" || isGone) return go(pathTo(["chats"]), "replace");
    told.value = answer.kind === "refused" && answer.status === 409 ? say.busy : say.failed;
  }

  if (!isOpen.value)
    return (
      <button type="button" class="item no" onClick={() => (isOpen.value = true)}>
        {say.open}
      </button>
    );
  return (
    <form
      class="item remove"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) void erase();
      }}
    >
      <p class="small">{say.what}</p>
      <label class="small">
        {say.typeName(name)}
        <input
          type="text"
          autocomplete="off"
          value={typed.value}
          ref={field}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        />
      </label>
      <span class="her-acts">
        <button class="btn sm no" type="submit" disabled={isOff}>
          {say.yes}
        </button>
        <button class="btn sm" type="button" onClick={() => (isOpen.value = false)}>
          {say.no}
        </button>
      </span>
      <p class="small bad" role="alert">
        {told.value}
      </p>
    </form>
  );
}
