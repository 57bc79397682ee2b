import { oversightWords, type OversightWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { createScrubber } from "../../core/scrub-secrets.ts";
import { markBadEnd } from "../../channels/command-end.ts";
import type { Proof, ProvenCall } from "./find-proof.ts";

const maxSourceLength = 120;
const scrub = createScrubber([]);

/** `openly` false = a guest asks: they see the calls and their outcomes, without arguments. */
export function describeProof(proof: Proof | undefined, language: Language, zone: string, openly: boolean): string {
  const texts = oversightWords[language].proof;
  if (!proof) return texts.noAnswer;
  if (proof.calls.length === 0) return texts.nothing;
  const clockFace = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, timeStyle: "medium" });
  const heading = texts.heading({ count: proof.calls.length, time: clockFace.format(proof.at), turn: proof.turn });
  const items = proof.calls.map((call, index) => describeCall(call, index + 1, { texts, clockFace, openly }));
  return [heading, ...items].join("\n");
}

function describeCall(
  call: ProvenCall,
  number: number,
  {
    texts,
    clockFace,
    openly,
  }: {
    readonly texts: OversightWords["proof"];
    readonly clockFace: Intl.DateTimeFormat;
    readonly openly: boolean;
  },
): string {
  const { agent, argument, at, ended, hash, left, ms, outcome, question, seq, sources, tool } = call;
  const what = [tool, ...(openly && argument !== "" ? [argument] : [])].join(" ");
  const facts = [
    ended ? markBadEnd(ended) : texts[outcome],
    ...(ms > 0 ? [texts.took((ms / 1000).toFixed(1))] : []),
    clockFace.format(at),
  ];
  const more = [...(agent === undefined ? [] : [texts.byAgent(agent)]), ...(left ? [texts.left] : [])];
  const lines = [`${number}. ${[what, ...more].join(" ")} · ${facts.join(" · ")}`];
  if (openly && sources.length > 0) lines.push(texts.sources(sources.map(shortenSource)));
  if (openly && question) {
    const { approved, code, name } = question;
    const by = { code, name: makeVisible(name), time: clockFace.format(question.at) };
    lines.push(approved ? texts.approved(by) : texts.rejected(by));
  }
  lines.push(texts.audit({ seq, hash: hash.slice(0, 16) }));
  return lines.join("\n   ");
}

function shortenSource(source: string): string {
  const shown = makeVisible(scrub(source)).replaceAll(/\s+/g, " ");
  return shown.length <= maxSourceLength ? shown : `${shown.slice(0, maxSourceLength)}…`;
}
