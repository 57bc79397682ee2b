import { changesThings } from "../../core/persona/changes-things.ts";
import type { ReplyTurn } from "../../core/persona/reply-turn.ts";
import type { TurnStateValue } from "./state.ts";

/** A few words in another language (「ok」, "yes but no") are no wish to switch the conversation to it. */
function saysEnough(text: string): boolean {
  const letters = text.slice(0, 200).match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{sc=Latin}/u.test(letter)).length;
  return letters.length - latin >= 4 || latin >= 16;
}

type Facts = Pick<TurnStateValue, "effects" | "transcript" | "instruction" | "mending" | "openings" | "preferences"> & {
  readonly input: Pick<TurnStateValue["input"], "language" | "text">;
};

/**
 * Collects the facts about the turn that the persona's judge needs. A model that answers twice in another language was
 * probably asked to, further back than the judge sees: its second draft may be in any language.
 */
export function describeTurn({
  effects,
  transcript,
  input,
  instruction,
  mending,
  openings,
  preferences,
}: Facts): ReplyTurn {
  const words = transcript.flatMap((message) => (message.role === "user" ? [message.text] : []));
  // A D-Mail removes calls from the transcript, but their effects remain.
  const rewound = effects.flatMap(({ ended, tool }) => (ended === "done" ? [tool] : []));
  const did = [
    ...transcript.flatMap((message) =>
      message.role === "tool" && message.ok && changesThings(message.tool) ? [message.tool] : [],
    ),
    ...rewound.filter(changesThings),
  ];
  return {
    acted: did.length > 0,
    did,
    worked: transcript.some((message) => message.role === "tool"),
    looked: transcript.some((message) => message.role === "tool" && message.ok),
    language: instruction === "" && !mending && saysEnough(input.text) ? input.language : undefined,
    last: [input.text, ...words].join("\n"),
    openings,
    wishes: preferences,
  };
}
