import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MeView } from "../views/sign-in-views.ts";
import { loadAbilities } from "./abilities/load-abilities.ts";
import { callServer } from "./call-server.ts";
import { Door } from "./door.tsx";
import { Chats } from "./chats.tsx";
import { Frame } from "./frame.tsx";
import { loadHer } from "./her/load-her.ts";
import { followQuestions, openCount } from "./questions-store.ts";
import { stayConnected } from "./live.ts";
import { followNotices } from "./notices.ts";
import { listPages } from "./pages.ts";
import { place } from "./router.ts";
import { createShowTime } from "./show-time.ts";
import { LoadedPage } from "./loaded-page.tsx";
import { loadSystem } from "./system/load-system.ts";
import { Today } from "./today.tsx";
import { MemberToday } from "./member-today.tsx";
import { isMember, viewer } from "./viewer.ts";
import type { PageWords } from "./words/zh.ts";

/** The sign-in, or the page of the signed-in person. */
export function App({ words }: { readonly words: PageWords }) {
  const me = useSignal<MeView | "lost" | undefined>(undefined);
  const couldNotLeave = useSignal(false);

  async function look(): Promise<void> {
    const answer = await callServer<MeView>("GET", "/me");
    me.value = answer.kind === "ok" ? answer.view : "lost";
    viewer.value = answer.kind === "ok" ? answer.view : undefined;
  }
  async function leave(): Promise<void> {
    const answer = await callServer("POST", "/logout", {});
    couldNotLeave.value = answer.kind === "lost" || (answer.kind === "refused" && answer.status !== 401);
    if (!couldNotLeave.value) await look();
  }
  useEffect(() => void look(), []);

  const shown = me.value;
  const isAtDoor = shown !== undefined && shown !== "lost" && !shown.authed;
  useEffect(() => {
    if (isAtDoor) document.title = `${words.door.title} · Kurisu`;
  }, [isAtDoor]);
  const isInside = shown !== undefined && shown !== "lost" && shown.authed;
  useEffect(() => (isInside ? stayConnected(() => void look()) : undefined), [isInside]);

  useEffect(() => (isInside ? followQuestions() : undefined), [isInside]);
  useEffect(() => (isInside ? followNotices(words) : undefined), [isInside]);

  if (shown === undefined) return <main id="content" aria-busy="true" />;
  if (shown === "lost")
    return (
      <main class="door" id="content">
        <h1>{words.lost}</h1>
        <div class="field">
          <button class="btn" type="button" onClick={() => void look()}>
            {words.retry}
          </button>
        </div>
      </main>
    );
  if (!shown.authed) return <Door words={words} first={shown.door} onEntered={() => void look()} />;
  const time = createShowTime(words.tag, shown.zone);
  const page = listPages().find((name) => name === place.value[0]) ?? "today";
  return (
    <Frame
      words={words}
      page={page}
      counts={{ today: openCount.value }}
      version={shown.version ?? ""}
      fault={couldNotLeave.value ? words.notLeft : undefined}
      onLeave={() => void leave()}
    >
      {page === "today" && isMember.value && <MemberToday words={words} time={time} />}
      {page === "today" && !isMember.value && <Today words={words} time={time} onSignedOut={() => void look()} />}
      {page === "her" && (
        <LoadedPage key="her" load={loadHer} words={words} time={time} onSignedOut={() => void look()} />
      )}
      {page === "abilities" && (
        <LoadedPage key="abilities" load={loadAbilities} words={words} time={time} onSignedOut={() => void look()} />
      )}
      {page === "system" && (
        <LoadedPage key="system" load={loadSystem} words={words} time={time} onSignedOut={() => void look()} />
      )}
      {page === "chats" && <Chats words={words} time={time} onSignedOut={() => void look()} />}
    </Frame>
  );
}
