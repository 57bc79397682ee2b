import type { ScriptedAnswer, ScriptedView } from "./scripted-model.ts";

const names = ["poke", "note", "peek", "read_page", "never", "nothing"];

/**
 * A model that does what the message says: 「poke a; peek b」 makes those calls in one round, 「>」 begins the next round.
 * Then it tells how many of them went well. Any other message is answered with words.
 */
export function obeyWords({ text, results }: ScriptedView): ScriptedAnswer {
  const rounds = text
    .replace(/^[\w ]+: /, "")
    .split(">")
    .map(readCalls);
  let before = 0;
  for (const calls of rounds) {
    if (results.length === before && calls.length > 0) return { calls };
    before += calls.length;
  }
  if (results.length === 0) return { text: `听到了，你说的是：${text}` };
  const good = results.filter((result) => (JSON.parse(result) as { ok: boolean }).ok).length;
  return { text: `做完了，${results.length} 件里成了 ${good} 件。` };
}

function readCalls(round: string) {
  return round
    .split(";")
    .map((part) => part.trim().split(" "))
    .filter(([name = ""]) => names.includes(name))
    .map(([name = "", ...what]) => ({ name, arguments: what.length > 0 ? { what: what.join(" ") } : {} }));
}
