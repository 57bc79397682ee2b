import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { maxSaidLength } from "../views/talk-views.ts";
import { AddIcon, CrossIcon, SendIcon } from "./icons.tsx";
import { isCutOff } from "./questions-store.ts";
import { showSize } from "./show-size.ts";
import type { Talk } from "./talk.ts";
import type { PageWords } from "./words/zh.ts";

const maxHeight = 220;

/** The field for the owner's own words, and the files that go with them. */
export function Composer({
  words,
  talk,
  isWorking,
}: {
  readonly words: PageWords;
  readonly talk: Talk;
  /** A turn is running in this chat. */
  readonly isWorking: boolean;
}) {
  const say = words.talk;
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const text = talk.text.value;
  const attached = talk.attached.value;
  const isTooLong = text.length > maxSaidLength;
  const isEmpty = text.trim() === "" && attached.length === 0;
  const isOff = isCutOff.value || isTooLong || isEmpty || attached.some(({ state }) => state !== "ready");

  // A style attribute is not allowed here; the property is.
  useLayoutEffect(() => {
    const box = field.current;
    if (box === null) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, maxHeight)}px`;
  }, [text]);

  function send(): void {
    if (isOff) return;
    talk.send();
    field.current?.focus();
  }

  function press(event: KeyboardEvent): void {
    // While a word is being composed, Enter chooses it. Some browsers say so only by the number of the key.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  }

  function take(event: Event, files: FileList | undefined): void {
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    talk.attach([...files]);
  }

  return (
    <form
      class={`write ${isOver.value ? "over" : ""}`}
      aria-label={say.title}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes("Files") !== true) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        isOver.value = false;
        take(event, event.dataTransfer?.files);
      }}
    >
      {attached.length > 0 && (
        <ul class="attached">
          {attached.map(({ bytes, id, name, state }) => (
            <li key={id} class={state === "failed" || state === "too-large" ? "bad" : ""}>
              <span class="name">{name}</span>
              <span role="status">{state === "ready" ? showSize(bytes) : say.files[state]}</span>
              <button type="button" class="link" aria-label={say.remove(name)} onClick={() => talk.detach(id)}>
                <CrossIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="box">
        <button class="btn bare" type="button" aria-label={say.attach} onClick={() => picker.current?.click()}>
          <AddIcon />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={say.attach}
          onChange={(event) => {
            talk.attach([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <textarea
          ref={field}
          rows={1}
          aria-label={say.title}
          placeholder={isWorking ? say.whileBusy : say.placeholder}
          value={text}
          onInput={({ currentTarget }) => (talk.text.value = currentTarget.value)}
          onKeyDown={press}
          onPaste={(event) => take(event, event.clipboardData?.files)}
        />
        <button class="btn yes send" type="submit" disabled={isOff} aria-label={say.send}>
          <SendIcon />
        </button>
      </div>
      <p class="hint" role="status">
        {isCutOff.value
          ? say.cutOff
          : isTooLong
            ? say.tooLong(text.length, maxSaidLength)
            : talk.isSaid.value
              ? say.isSaid
              : ""}
      </p>
    </form>
  );
}

/** Messages that the server has not confirmed. */
export function UnsentRows({ words, talk }: { readonly words: PageWords; readonly talk: Talk }) {
  const say = words.talk;
  return (
    <>
      {talk.unsent.value.map(({ fault, files, key, state, text }) => (
        <div key={key} class="row unsent">
          <div class="said p">
            <span class="by">
              <b>{words.questions.you}</b>
              {state === "sending" && say.sending}
            </span>
            {text !== "" && (
              <div class="blocks">
                <p class="typed">{text}</p>
              </div>
            )}
            {files.length > 0 && (
              <ul class="given">
                {files.map(({ id, name }) => (
                  <li key={id} class="chip">
                    {name}
                  </li>
                ))}
              </ul>
            )}
            {state === "failed" && (
              <p class="failed" role="alert">
                {fault ?? say.notSent}
                {fault === undefined && (
                  <button class="link" type="button" onClick={() => talk.retry(key)}>
                    {say.again}
                  </button>
                )}
                <button class="link" type="button" onClick={() => talk.editAgain(key)}>
                  {say.editAgain}
                </button>
              </p>
            )}
          </div>
        </div>
      ))}
    </>
  );
}
