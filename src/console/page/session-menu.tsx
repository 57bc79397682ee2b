import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SessionSettingsView } from "../views/chats-views.ts";
import { callServer, findReason } from "./call-server.ts";
import { languages } from "./choices.ts";
import { connection } from "./live.ts";
import { DeleteSession } from "./delete-session.tsx";
import { DownIcon } from "./icons.tsx";
import { isMember } from "./viewer.ts";
import type { PageWords } from "./words/zh.ts";

const languageNames = { zh: "中文", en: "English", ja: "日本語" } as const;

/** The menu of a conversation; each entry does what a chat command does. */
export function SessionMenu({
  name,
  session,
  words,
}: {
  readonly session: string;
  /** As the server has it; the owner types it to delete the conversation. */
  readonly name: string;
  readonly words: PageWords;
}) {
  const say = words.chats.menu;
  const path = `/sessions/${encodeURIComponent(session)}` as const;
  const box = useRef<HTMLDetailsElement>(null);
  const settings = useSignal<SessionSettingsView | undefined>(undefined);
  const isBusy = useSignal(false);
  const told = useSignal("");

  async function open(): Promise<void> {
    if (box.current?.open !== true) return;
    told.value = "";
    if (isMember.value) return;
    const answer = await callServer<SessionSettingsView>("GET", `${path}/settings`);
    if (answer.kind === "ok") settings.value = answer.view;
    else told.value = words.lost;
  }

  async function choose(choice: Partial<SessionSettingsView>): Promise<void> {
    told.value = "";
    const answer = await callServer<SessionSettingsView>("PUT", `${path}/settings`, choice);
    if (answer.kind === "ok") settings.value = answer.view;
    told.value = answer.kind === "ok" ? say.done : (findReason(answer) ?? say.notDone);
  }

  async function startOver(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    told.value = "";
    const answer = await callServer("POST", `${path}/new`, {});
    isBusy.value = false;
    if (answer.kind === "ok") close();
    else told.value = say.notDone;
  }

  function close(): void {
    if (box.current?.open !== true) return;
    box.current.open = false;
    box.current.querySelector("summary")?.focus();
  }

  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (box.current?.open === true && target instanceof Node && !box.current.contains(target))
        box.current.open = false;
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, []);

  const shown = settings.value;
  const isOff = isBusy.value || connection.value.kind !== "live";
  return (
    <details
      class="menu"
      ref={box}
      onToggle={() => void open()}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <summary class="btn sm">
        {say.open}
        <DownIcon />
      </summary>
      <div class="inside">
        {!isMember.value && (
          <button type="button" class="item" disabled={isOff} onClick={() => void startOver()}>
            {say.startOver}
          </button>
        )}
        {shown !== undefined && (
          <>
            <button
              type="button"
              class="item"
              disabled={isOff}
              onClick={() => void choose({ mode: shown.mode === "plan" ? "act" : "plan" })}
            >
              {shown.mode === "plan" ? say.toAct : say.toPlan}
            </button>
            <Choice
              label={say.language}
              chosen={shown.language}
              isOff={isOff}
              choices={[[null, say.follows], ...languages.map((one) => [one, languageNames[one]] as const)]}
              choose={(language) => void choose({ language })}
            />
            {shown.models.length > 1 && (
              <Choice
                label={say.model}
                chosen={shown.model}
                isOff={isOff}
                choices={[
                  [null, say.usualModel(shown.models[0] ?? "")],
                  ...shown.models.map((one) => [one, one] as const),
                ]}
                choose={(model) => void choose({ model })}
              />
            )}
            <Choice
              label={say.busy}
              chosen={shown.busy}
              isOff={isOff}
              choices={[
                ...(shown.busy === null ? [[null, say.usualBusy] as const] : []),
                ["queue", say.busyModes.queue],
                ...(shown.canSteer ? [["steer", say.busyModes.steer] as const] : []),
                ["interrupt", say.busyModes.interrupt],
              ]}
              choose={(busy) => void (busy !== null && choose({ busy }))}
            />
          </>
        )}
        <p class="item pair">
          {say.export}
          <a href={`/api${path}/export?format=markdown`} download="">
            Markdown
          </a>
          <a href={`/api${path}/export?format=json`} download="">
            JSON
          </a>
        </p>
        {!isMember.value && <DeleteSession name={name} path={path} words={words} />}
        <p class="told" role="status">
          {told.value}
        </p>
      </div>
    </details>
  );
}

function Choice<Value extends string | null>({
  choices,
  choose,
  chosen,
  isOff,
  label,
}: {
  readonly label: string;
  readonly chosen: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly isOff: boolean;
  readonly choose: (value: Value) => void;
}) {
  return (
    <label class="item pair">
      {label}
      <select
        disabled={isOff}
        value={String(chosen)}
        onChange={({ currentTarget }) => {
          const found = choices[currentTarget.selectedIndex];
          if (found !== undefined) choose(found[0]);
        }}
      >
        {choices.map(([value, name]) => (
          <option key={String(value)} value={String(value)} selected={value === chosen}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
