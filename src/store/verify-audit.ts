import { auditGenesis, hashAuditColumns } from "./migrations/audit-hash.ts";
import type { AuditAnchor } from "./audit-anchor.ts";
import { digestAuditText, findAuditDigest } from "./queries/audit-text.ts";
import type { Store } from "./open-store.ts";
import {
  findAuditMark,
  findLastAuditSeq,
  findUnlinkedAudit,
  readAuditLinks,
  type AuditLink,
} from "./queries/audit-chain.ts";
import { countErasedTexts, listAuditTexts } from "./queries/audit.ts";

/**
 * changed = a row is not what was written; missing = it is gone; order = links were moved, replaced or forged; unlinked
 * = a row that was inserted outside the chain; cut = the end is gone; rewritten = the whole chain is another one than
 * was anchored; words = words stored apart from the chain are gone, and no erasure accounts for it.
 */
type AuditDamage = "changed" | "missing" | "order" | "unlinked" | "cut" | "rewritten" | "words";

export type AuditVerdict =
  /** `erased` = rows whose words were erased at a person's request. */
  | { readonly kind: "intact"; readonly rows: number; readonly hash: string; readonly erased: number }
  | {
      readonly kind: "broken";
      readonly damage: AuditDamage;
      /** The row where it shows; undefined when that is not known either. */
      readonly seq: number | undefined;
      /** Rows before it that are as they were written. */
      readonly sound: number;
      readonly detail: string;
    };

type Broken = Extract<AuditVerdict, { readonly kind: "broken" }>;

const page = 1_000;

/** Reads the chain once from its beginning, in parallel with its writers. `anchors` were read before. */
export async function verifyAudit(
  store: Pick<Store, "engine" | "main">,
  anchors: readonly AuditAnchor[],
): Promise<AuditVerdict> {
  const anchored = new Map(anchors.map((anchor) => [anchor.position, anchor]));
  // Rows that come while this reads are not asked for: the chain that is read may end before or after them.
  const [unlinked, newest] = [await findUnlinkedAudit(store.main), await findLastAuditSeq(store)];
  const mark = (await findAuditMark(store)) ?? 0;
  let [position, hash, highest, erased] = [0, auditGenesis, 0, 0];
  for (;;) {
    const links = await readAuditLinks(store, position, page);
    for (const link of links) {
      const broken = checkLink(link, position, hash);
      if (broken) return broken;
      [position, hash] = [position + 1, String(link.hash)];
      highest = Math.max(highest, Number(link.seq));
      const anchor = anchored.get(position);
      if (anchor && anchor.hash !== hash) return foreignTo(anchor, Number(link.seq), position);
    }
    const words = await checkWords(store, links, position);
    if (words.kind === "broken") return words;
    erased += words.gone;
    if (links.length < page) break;
  }
  if (unlinked !== undefined) {
    return broken("unlinked", unlinked, position, `row ${unlinked} is not in the chain: it was put in beside it`);
  }
  const last = [...anchored.values()].toSorted((a, b) => b.position - a.position)[0];
  if (last && last.position > position) {
    const gone = last.position - position;
    const detail = `the end is cut off: at ${last.at} there were ${last.position} rows, the last was ${last.seq}; ${gone} of them are gone`;
    return broken("cut", last.seq, position, detail);
  }
  if (mark > position) {
    const detail = `the end is cut off: there were ${mark} rows, ${mark - position} of them are gone`;
    return broken("cut", undefined, position, detail);
  }
  if (newest !== undefined && newest > highest) {
    return broken(
      "cut",
      newest,
      position,
      `the end is cut off: row ${newest} was written, the chain ends at ${highest}`,
    );
  }
  const named = await countErasedTexts(store.main);
  if (erased > named) {
    const detail = `the words of ${erased} rows are gone, and erasures name ${named}`;
    return broken("words", undefined, position, detail);
  }
  return { kind: "intact", rows: position, hash, erased };
}

/** The words stored with these rows are unchanged, or gone. */
async function checkWords(
  store: Pick<Store, "main">,
  links: readonly AuditLink[],
  position: number,
): Promise<Broken | { readonly kind: "sound"; readonly gone: number }> {
  const wanted = new Map(links.flatMap(({ detail, seq }) => [[findAuditDigest(detail), seq] as const]));
  wanted.delete(undefined);
  const found = await listAuditTexts(store.main, [...wanted.keys()] as string[]);
  const forged = found.find(({ detail, digest, salt }) => digestAuditText(salt, detail) !== digest);
  if (forged) {
    const seq = Number(wanted.get(forged.digest));
    return broken("changed", seq, position, `the words of row ${seq} are not what was written`);
  }
  return { kind: "sound", gone: wanted.size - found.length };
}

function checkLink(link: AuditLink, position: number, hash: string): Broken | undefined {
  const seq = readCount(link.seq);
  const named = seq === undefined ? "a row" : `row ${seq}`;
  if (seq === undefined || readCount(link.position) !== position + 1) {
    return broken("missing", seq, position, `before ${named}, rows are missing from the chain`);
  }
  if (link.prev_hash !== hash) {
    return broken("order", seq, position, `${named} is not chained to the one before it: rows were moved or replaced`);
  }
  if (link.present === 0) return broken("missing", seq, position, `${named} is missing`);
  const at = readCount(link.at);
  const { actor, action, session, turn, call, detail } = link;
  const columns = [hash, seq, at, actor, action, session, turn, call, detail];
  if (at !== undefined && hashAuditColumns(...columns) === link.hash) return undefined;
  return broken("changed", seq, position, `${named} is not what was written, or its link is not`);
}

function broken(damage: AuditDamage, seq: number | undefined, sound: number, detail: string): Broken {
  return { kind: "broken", damage, seq, sound, detail };
}

function foreignTo(anchor: AuditAnchor, seq: number, position: number): Broken {
  const detail = `the chain was written anew: at ${anchor.at} row number ${position} of it had another hash`;
  return broken("rewritten", seq, position - 1, detail);
}

/** Undefined when it is not a whole number as the engine writes one. */
function readCount(text: string): number | undefined {
  const count = Number(text);
  return Number.isSafeInteger(count) && String(count) === text ? count : undefined;
}
