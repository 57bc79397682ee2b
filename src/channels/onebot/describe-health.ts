import type { ChannelHealth, ChannelNews } from "../channel-health.ts";
import type { Account } from "./account.ts";
import type { ForwardState } from "./connect-forward.ts";

/** Everything the health of the channel depends on. */
export interface OneBotSituation {
  readonly accounts: readonly Account[];
  /** Undefined when no outgoing connection is configured. */
  readonly forward: { readonly place: string; readonly state: ForwardState } | undefined;
  /** The address at which implementations may connect to us. */
  readonly reverse: string | undefined;
  /** The last reverse connection that was turned away. */
  readonly refusal: string | undefined;
  readonly storing: string | undefined;
}

const start = "Start NapCat (or LLBot) and switch its WebSocket on";

export function describeHealth(situation: OneBotSituation): Pick<ChannelHealth, "state" | "detail" | "news"> {
  const { accounts, forward, storing } = situation;
  const connected = accounts.filter(({ link }) => link !== undefined);
  const offline = connected.filter(({ online }) => online === false);
  const problems = [
    ...(storing === undefined ? [] : [`messages cannot be stored: ${storing}`]),
    ...offline.map((account) => `QQ is logged out there: log in again in NapCat (${nameAccount(account)})`),
    ...accounts.filter(({ link }) => link === undefined).map(({ id }) => `${id} is not connected. ${start}`),
  ];
  const well = connected.filter(({ online }) => online !== false).map(nameAccount);
  if (connected.length > 0) {
    const refused = forward?.state.kind === "refused" ? [describeForward(forward.place, forward.state)] : [];
    const all = [...well, ...problems, ...refused];
    const detail = all.join("; ");
    if (problems.length + refused.length > 0) return { state: "degraded", detail };
    return { state: "ready", detail, news: { kind: "connected", as: connected.map(nameShortly).join(", ") } };
  }
  const state = forward?.state.kind === "refused" ? "failed" : isFresh(situation) ? "starting" : "degraded";
  const { reverse } = situation;
  const isQuiet = state === "starting" && storing === undefined && situation.refusal === undefined;
  const news: ChannelNews | undefined = !isQuiet
    ? undefined
    : forward === undefined && reverse !== undefined
      ? { kind: "waiting", at: reverse }
      : { kind: "connecting" };
  return {
    state,
    ...(news && { news }),
    detail: [...(storing === undefined ? [] : problems.slice(0, 1)), ...waitingFor(situation)].join("; "),
  };
}

/** True until something has gone wrong. */
function isFresh({ accounts, forward }: OneBotSituation): boolean {
  const { kind } = forward?.state ?? { kind: "connecting" };
  return accounts.length === 0 && (kind === "connecting" || kind === "open");
}

function waitingFor({ accounts, forward, reverse, refusal }: OneBotSituation): readonly string[] {
  const gone = accounts.map(({ id }) => id).join(", ");
  return [
    // The line about our own side says what to do.
    ...(gone === "" ? [] : [`${gone} is not connected${forward?.state.kind === "unreachable" ? "" : `. ${start}`}`]),
    ...(forward === undefined ? [] : [describeForward(forward.place, forward.state)]),
    ...(reverse !== undefined && forward === undefined
      ? [`waiting for a OneBot implementation to connect to ${reverse}`]
      : []),
    ...(refusal === undefined ? [] : [`a reverse connection was refused: ${refusal}`]),
  ];
}

function describeForward(place: string, state: ForwardState): string {
  switch (state.kind) {
    case "connecting":
      return `connecting to ${place}`;
    case "open":
      return `connected to ${place}`;
    case "refused":
      return `the OneBot server at ${place} refused the token: ${state.reason}. Set ONEBOT_ACCESS_TOKEN to the token of its WebSocket server; she tries again by herself`;
    case "unreachable":
      return `${place} cannot be reached, trying again: ${state.reason}. ${start}`;
  }
}

function nameShortly({ id, nickname }: Account): string {
  return nickname === "" ? id : `${nickname} (${id})`;
}

function nameAccount(account: Account): string {
  const { implementation } = account;
  const name = nameShortly(account);
  return implementation === "" ? name : `${name} through ${implementation}`;
}
