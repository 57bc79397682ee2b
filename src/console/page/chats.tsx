import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { WholeSessionView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";
import { Composer, UnsentRows } from "./composer.tsx";
import { followChanges, watchSession } from "./live.ts";
import { BackIcon, BranchIcon } from "./icons.tsx";
import { QuestionCards, useShownQuestions } from "./question-cards.tsx";
import { Round } from "./round.tsx";
import { pathTo, place, readValue } from "./router.ts";
import { nameChat } from "./session-item.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { ownChat, SessionList } from "./session-list.tsx";
import { StopTurn } from "./stop-turn.tsx";
import type { ShowTime } from "./show-time.ts";
import { createTalk } from "./talk.ts";
import { Transcript } from "./transcript.tsx";
import { TurnLink } from "./turn-link.tsx";
import { isMember } from "./viewer.ts";
import type { PageWords } from "./words/zh.ts";
import { WorldLines } from "./world-lines.tsx";

const topics = ["messages", "turns", "sessions", "inbox", "outbox"];
const ownStart = "console:local:";

/** The list of conversations, and the open one next to it. */
export function Chats({
  words,
  time,
  onSignedOut,
}: {
  readonly words: PageWords;
  readonly time: ShowTime;
  /** The login is no longer valid. */
  readonly onSignedOut: () => void;
}) {
  const session = place.value[1];
  useEffect(() => watchSession(session), [session]);
  useEffect(() => () => watchSession(undefined), []);
  return (
    <div class={`talk ${session === undefined ? "" : "open"}`}>
      <SessionList words={words} time={time} chosen={session} onSignedOut={onSignedOut} />
      {session === undefined ? (
        <section class="thread none">
          <h1 class="sr">{words.pages.chats}</h1>
          <p class="empty">{words.chats.choose}</p>
          {!isMember.value && (
            <a class="btn yes tospeak" href={pathTo(["chats", ownChat])}>
              {words.talk.title}
            </a>
          )}
        </section>
      ) : (
        <Thread key={session} session={session} words={words} time={time} onSignedOut={onSignedOut} />
      )}
    </div>
  );
}

function Thread({
  session,
  words,
  time,
  onSignedOut,
}: {
  readonly session: string;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly onSignedOut: () => void;
}) {
  const whole = useSignal<WholeSessionView | "lost" | "missing" | undefined>(undefined);
  const version = useSignal(0);
  const asks = useShownQuestions(session);
  const say = words.chats;
  const asked = useRef(0);
  const talk = useMemo(
    () => (session.startsWith(ownStart) ? createTalk(session.slice(ownStart.length), read) : undefined),
    [session],
  );
  useEffect(() => talk?.end, [talk]);

  async function read(): Promise<void> {
    asked.current += 1;
    const mine = asked.current;
    const answer = await callServer<WholeSessionView>("GET", `/sessions/${encodeURIComponent(session)}`);
    // An answer that comes back after a newer question is stale.
    if (mine !== asked.current) return;
    if (answer.kind === "ok") {
      whole.value = answer.view;
      version.value = mine;
      return;
    }
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    if (answer.kind === "refused" && answer.status === 404) return void (whole.value = "missing");
    if (typeof whole.value !== "object") whole.value = "lost";
  }

  useEffect(() => {
    void read();
    const end = followChanges(topics, (change) => {
      if (change?.session === undefined || change.session === session) void read();
    });
    return () => {
      asked.current = -1;
      end();
    };
  }, [session]);

  const shown = typeof whole.value === "object" ? whole.value : undefined;
  const name = shown === undefined ? "" : nameChat(shown, words);
  useEffect(() => {
    document.title = `${name === "" ? words.pages.chats : name} · Kurisu`;
  }, [name]);

  const wanted = readValue("hit");
  // The first scroll removes `hit` from the address; the transcript must not reload because of that.
  const hit = useRef(wanted);
  if (wanted !== undefined) hit.current = wanted;
  return (
    <>
      <section class="thread" aria-labelledby="chat-name">
        <header>
          <a class="back" href={pathTo(["chats"])} aria-label={say.back}>
            <BackIcon />
          </a>
          <h1 id="chat-name">{name === "" ? words.pages.chats : name}</h1>
          {shown !== undefined && (
            <>
              <span class="chip hide">{say.place(words.parts, shown.platform, shown.kind)}</span>
              {shown.mode === "plan" && <span class="chip hide">{say.plan}</span>}
              {shown.branches > 1 && (
                <span class="chip acc right">
                  <BranchIcon />
                  {say.branch(shown.branch, shown.branches)}
                </span>
              )}
              {shown.turn !== undefined && (
                <TurnLink class="btn sm at-turn" session={session} turn={shown.turn}>
                  {words.round.title}
                </TurnLink>
              )}
              <SessionMenu session={session} name={shown.name.trim()} words={words} />
            </>
          )}
        </header>
        {shown === undefined ? (
          <p class="empty" role="status">
            {whole.value === "missing" ? say.missing : whole.value === "lost" ? words.lost : words.loading}
          </p>
        ) : (
          <Transcript
            key={`${shown.branch} ${hit.current ?? ""}`}
            session={session}
            total={shown.total}
            words={words}
            time={time}
            her={words.her}
            you={shown.own ? words.questions.you : undefined}
            version={version.value}
          >
            {talk !== undefined && <UnsentRows words={words} talk={talk} />}
            <QuestionCards {...asks} words={words} time={time} />
          </Transcript>
        )}
        {shown !== undefined && talk !== undefined && (
          <>
            {shown.state !== "none" && (
              <footer class="watch">
                <StopTurn session={session} words={words} />
              </footer>
            )}
            <Composer words={words} talk={talk} isWorking={shown.state === "working"} />
          </>
        )}
        {shown !== undefined && talk === undefined && (
          <footer class="watch">
            <p>
              {isMember.value ? words.member.watch : shown.kind === "group" ? say.watchGroup(name) : say.watch(name)}
            </p>
            {shown.state !== "none" && !isMember.value && <StopTurn session={session} words={words} />}
          </footer>
        )}
      </section>
      {shown !== undefined && !isMember.value && (
        <Round session={session} newest={shown.turn} words={words} time={time}>
          {shown.branches > 1 && (
            <WorldLines session={session} open={shown.open} version={version.value} words={words} time={time} />
          )}
        </Round>
      )}
    </>
  );
}
