import { useSignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { SessionsView, SessionView } from "../../views/chats-views.ts";
import type { ToolView, WhyFault, WhyRequest, WhyView } from "../../views/abilities-views.ts";
import { callServer } from "../call-server.ts";
import { namePlatform } from "../describe-question.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { Verdict } from "./verdict.tsx";

const roles = ["owner", "trusted", "member", "guest"] as const;
const places = ["private", "group"] as const;

/** A call that is asked about and never made. */
export function Why({
  tools,
  chosen,
  place,
  ...parts
}: AbilityParts & {
  readonly tools: readonly ToolView[];
  readonly chosen: Signal<string>;
  readonly place: RefObject<HTMLElement | null>;
}) {
  const say = parts.say.why;
  const given = useSignal("{}");
  const who = useSignal<string>("owner");
  const where = useSignal<string>("private");
  const isTainted = useSignal(false);
  const chats = useSignal<readonly SessionView[]>([]);
  const isAsking = useSignal(false);
  const fault = useSignal<Pick<WhyFault, "field" | "message"> | undefined>(undefined);
  const told = useSignal("");
  const answer = useSignal<WhyView | undefined>(undefined);
  const chat = chats.value.find(({ id }) => id === where.value);
  const isPrivate = chat?.kind === "private";

  useEffect(() => {
    void callServer<SessionsView>("GET", "/sessions").then((read) => {
      if (read.kind === "ok") chats.value = read.view.items;
    });
  }, []);
  // The answer is only valid for the current fields.
  useEffect(() => {
    answer.value = undefined;
    fault.value = undefined;
  }, [chosen.value, given.value, who.value, where.value, isTainted.value]);

  async function ask(): Promise<void> {
    told.value = "";
    answer.value = undefined;
    fault.value = findFault();
    if (fault.value !== undefined || isAsking.value) return;
    const request: WhyRequest = {
      tool: chosen.value,
      arguments: given.value,
      ...(who.value !== "chat" && { role: who.value as (typeof roles)[number] }),
      ...(chat === undefined ? { group: where.value === "group" } : { chat: chat.id }),
      tainted: isTainted.value,
    };
    isAsking.value = true;
    const read = await callServer<WhyView>("POST", "/tools/why", request);
    isAsking.value = false;
    if (read.kind === "ok") answer.value = read.view;
    else if (read.kind === "refused" && isFault(read.view)) fault.value = read.view;
    else told.value = say.failed;
  }

  function findFault(): Pick<WhyFault, "field" | "message"> | undefined {
    if (chosen.value === "") return { field: "tool", message: say.noTool };
    return isJsonObject(given.value) ? undefined : { field: "arguments", message: say.notJson };
  }

  const mark = (field: WhyFault["field"]) => ({
    "aria-invalid": fault.value?.field === field,
    "aria-describedby": fault.value?.field === field ? "why-fault" : undefined,
  });
  const faultOf = (field: WhyFault["field"]) =>
    fault.value?.field === field && (
      <span class="fault" id="why-fault">
        {fault.value.message}
      </span>
    );
  return (
    <aside class="sheet able-lab" aria-labelledby="why-title" ref={place}>
      <div class="able-head">
        <h2 id="why-title">{say.title}</h2>
        <span class="soft small">{say.hint}</span>
      </div>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label class="able-field">
          <span>{say.tool}</span>
          <select
            class="mono"
            value={chosen.value}
            onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
            {...mark("tool")}
          >
            <option value="">{say.choose}</option>
            {tools.map(({ name }) => (
              <option key={name} value={name} selected={name === chosen.value}>
                {name}
              </option>
            ))}
          </select>
          {faultOf("tool")}
        </label>
        <label class="able-field">
          <span>{say.arguments}</span>
          <textarea
            class="mono"
            rows={3}
            spellcheck={false}
            autocapitalize="off"
            value={given.value}
            onInput={({ currentTarget }) => (given.value = currentTarget.value)}
            {...mark("arguments")}
          />
          {faultOf("arguments")}
        </label>
        <div class="able-pair">
          <label class="able-field">
            <span>{say.who}</span>
            <select
              value={who.value}
              onChange={({ currentTarget }) => (who.value = currentTarget.value)}
              {...mark("role")}
            >
              {isPrivate && (
                <option value="chat" selected={who.value === "chat"}>
                  {say.roles.chat}
                </option>
              )}
              {roles.map((role) => (
                <option key={role} value={role} selected={role === who.value}>
                  {say.roles[role]}
                </option>
              ))}
            </select>
            {faultOf("role")}
          </label>
          <label class="able-field">
            <span>{say.where}</span>
            <select
              value={where.value}
              onChange={({ currentTarget }) => {
                where.value = currentTarget.value;
                const isOne = chats.value.some(({ id, kind }) => id === currentTarget.value && kind === "private");
                if (isOne) who.value = "chat";
                else if (who.value === "chat") who.value = "member";
              }}
              {...mark("chat")}
            >
              {places.map((one) => (
                <option key={one} value={one} selected={one === where.value}>
                  {say[one]}
                </option>
              ))}
              {chats.value
                .filter(({ kind }) => kind === "private" || kind === "group")
                .map(({ id, name, platform }) => (
                  <option key={id} value={id} selected={id === where.value}>
                    {name} · {namePlatform(platform, parts.words)}
                  </option>
                ))}
            </select>
            {faultOf("chat")}
          </label>
        </div>
        <label class="able-check">
          <input
            type="checkbox"
            checked={isTainted.value}
            onChange={({ currentTarget }) => (isTainted.value = currentTarget.checked)}
          />
          {say.tainted}
        </label>
        <button class="btn yes" type="submit" disabled={isAsking.value}>
          {isAsking.value ? say.asking : say.ask}
        </button>
      </form>
      <p role="alert" class={told.value === "" ? "sr" : "able-told small"}>
        {told.value}
      </p>
      <div role="status">{answer.value && <Verdict {...parts} answer={answer.value} />}</div>
    </aside>
  );
}

const isFault = (view: unknown): view is WhyFault =>
  typeof view === "object" && view !== null && "field" in view && "message" in view;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
