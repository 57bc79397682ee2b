import type { ComponentChildren } from "preact";
import { go, pathTo, readValue } from "./router.ts";
import { isMember } from "./viewer.ts";

/** Keeps the conversation's place and shows this turn beside it; undefined = no chosen turn. */
export function showTurn(session: string, turn: string | undefined, how?: "push" | "replace"): void {
  go(pathTo(["chats", session], { at: readValue("at"), hit: readValue("hit"), turn }), how);
}

export function TurnLink({
  session,
  turn,
  label,
  class: name,
  children,
}: {
  readonly session: string;
  readonly turn: string;
  /** Its name, where its text does not say it. */
  readonly label?: string;
  readonly class: string;
  readonly children: ComponentChildren;
}) {
  // The owner alone sees the work and the cost of a turn.
  if (isMember.value) return <>{children}</>;
  return (
    <a
      class={name}
      href={pathTo(["chats", session], { turn })}
      aria-label={label}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        showTurn(session, turn);
      }}
    >
      {children}
    </a>
  );
}
