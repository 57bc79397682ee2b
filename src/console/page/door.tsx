import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { MeView, RefusedLogin } from "../views/sign-in-views.ts";
import { callServer, loginLimitMs } from "./call-server.ts";
import { Brand } from "./icons.tsx";
import type { PageWords } from "./words/zh.ts";

const codeLength = 8;
const cells = [0, 1, 2, 3, 4, 5, 6, 7] as const;

type Fault =
  | { readonly kind: "wrong" | "expired" | "lost" }
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "told"; readonly message: string };

/** The sign-in, by the code of the terminal or by the password. */
export function Door({
  words,
  first,
  onEntered,
}: {
  readonly words: PageWords;
  readonly first: MeView["door"];
  readonly onEntered: () => void;
}) {
  const say = words.door;
  const by = useSignal<"code" | "password">(first);
  const typed = useSignal("");
  const isBusy = useSignal(false);
  const fault = useSignal<Fault | undefined>(undefined);
  const now = useSignal(Date.now());
  const field = useRef<HTMLInputElement>(null);

  useSignalEffect(() => {
    if (fault.value?.kind !== "wait") return undefined;
    const timer = setInterval(() => (now.value = Date.now()), 500);
    return () => clearInterval(timer);
  });
  useSignalEffect(() => {
    if (fault.value?.kind === "wait" && now.value >= fault.value.until) fault.value = undefined;
  });

  const mustWait = fault.value?.kind === "wait";
  const isWhole = by.value === "password" ? typed.value !== "" : typed.value.length === codeLength;

  async function enter(): Promise<void> {
    if (isBusy.value || mustWait) return;
    if (!isWhole) return field.current?.focus();
    isBusy.value = true;
    const given = by.value === "code" ? { code: typed.value } : { password: typed.value };
    const answer = await callServer<undefined>("POST", "/login", given, loginLimitMs);
    isBusy.value = false;
    if (answer.kind === "ok") return onEntered();
    typed.value = "";
    if (answer.kind === "lost" || ![400, 401, 403].includes(answer.status))
      return void (fault.value = { kind: "lost" });
    const { code, message, wait } = answer.view as RefusedLogin;
    if (answer.status !== 401) return void (fault.value = { kind: "told", message });
    now.value = Date.now();
    fault.value = wait > 0 ? { kind: "wait", until: now.value + wait } : { kind: code === "expired" ? code : "wrong" };
  }

  function change(text: string): void {
    typed.value =
      by.value === "password"
        ? text
        : text
            .toUpperCase()
            .replaceAll(/[^0-9A-Z]/g, "")
            .slice(0, codeLength);
    if (!mustWait) fault.value = undefined;
  }

  function choose(other: "code" | "password"): void {
    by.value = other;
    typed.value = "";
    if (!mustWait) fault.value = undefined;
  }

  function describe({ value }: { readonly value: Fault | undefined }): string {
    switch (value?.kind) {
      case undefined:
        return "";
      case "wrong":
        return by.value === "code" ? say.wrongCode : say.wrongPassword;
      case "expired":
        return say.expired;
      case "lost":
        return say.lost;
      case "told":
        return value.message;
      case "wait":
        return say.wait(Math.max(1, Math.ceil((value.until - now.value) / 1000)));
    }
  }

  const told = describe(fault);
  return (
    <main class="door" id="content">
      <Brand name={words.name} />
      <h1>{say.heading}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        {by.value === "code" ? (
          <>
            <p class="soft" id="hint">
              {first === "code" ? say.codeHint : say.codeMadeHint}
            </p>
            <div class={`field code8 ${told === "" ? "" : "bad"}`}>
              <input
                key="code"
                ref={field}
                type="text"
                aria-label={say.codeLabel}
                aria-describedby="hint fault"
                autocomplete="one-time-code"
                autocapitalize="characters"
                spellcheck={false}
                autofocus
                value={typed.value}
                onInput={({ currentTarget }) => {
                  change(currentTarget.value);
                  currentTarget.value = typed.value;
                }}
              />
              <div class="cells mono" aria-hidden="true">
                {cells.map((at) => (
                  <>
                    {at === 4 && <i />}
                    <span class={at === Math.min(typed.value.length, 7) ? "cur" : ""}>{typed.value[at] ?? ""}</span>
                  </>
                ))}
              </div>
            </div>
          </>
        ) : (
          <>
            <p class="soft" id="hint">
              {say.passwordHint}
            </p>
            <div class="field">
              <label class="label" for="password">
                {say.passwordLabel}
              </label>
              <input
                key="password"
                ref={field}
                id="password"
                class="input"
                type="password"
                aria-describedby="hint fault"
                autocomplete="current-password"
                autofocus
                value={typed.value}
                onInput={({ currentTarget }) => change(currentTarget.value)}
              />
            </div>
          </>
        )}
        <p class={told === "" ? "sr" : "fault"} id="fault" role="alert">
          {told}
        </p>
        <button class="btn yes" type="submit" disabled={isBusy.value || mustWait}>
          {isBusy.value ? say.entering : say.enter}
        </button>
      </form>
      {by.value === "code" ? (
        <>
          <p class="small soft hint">{say.noCode}</p>
          <pre class="cmd">./kurisu console code</pre>
          <p class="small hint">
            <button class="link" type="button" onClick={() => choose("password")}>
              {say.usePassword}
            </button>{" "}
            <span class="soft">{say.passwordNote}</span>
          </p>
        </>
      ) : (
        <p class="small hint">
          <button class="link" type="button" onClick={() => choose("code")}>
            {say.useCode}
          </button>
        </p>
      )}
    </main>
  );
}
