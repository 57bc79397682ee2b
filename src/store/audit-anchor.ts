import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AuditHead } from "./queries/audit-chain.ts";

/** The head of the chain at a time, kept outside of the database: so rows up to it cannot be cut off or rewritten. */
export interface AuditAnchor extends AuditHead {
  /** ISO 8601. */
  readonly at: string;
}

/** The file in the data folder, and the optional second one elsewhere. */
export function listAnchorFiles(home: string, elsewhere: string | undefined): readonly string[] {
  return [join(home, "audit-anchor"), ...(elsewhere === undefined ? [] : [elsewhere])];
}

/** Adds a line. The folder is made when it is not there. */
export function appendAuditAnchor(file: string, head: AuditHead, now: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const anchor: AuditAnchor = { at: new Date(now).toISOString(), ...head };
  appendFileSync(file, `${JSON.stringify(anchor)}\n`, { mode: 0o600 });
}

export interface AnchorFile {
  readonly anchors: readonly AuditAnchor[];
  /** Lines that are not valid, such as one torn by a power cut. */
  readonly unreadable: number;
}

/** Undefined when the file does not exist. */
export function readAuditAnchors(file: string): AnchorFile | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const anchors = lines.map(parseAnchor).filter((anchor) => anchor !== undefined);
  return { anchors, unreadable: lines.length - anchors.length };
}

/**
 * The anchors of both files. `missing` is the file elsewhere when it is gone although the data folder has anchors:
 * removing it would hide a rewritten chain.
 */
export function readBothAnchorFiles(
  home: string,
  elsewhere: string | undefined,
): AnchorFile & { readonly missing: string | undefined } {
  const [own, other] = listAnchorFiles(home, elsewhere).map(readAuditAnchors);
  const isMissing = other === undefined && (own?.anchors.length ?? 0) > 0;
  return {
    anchors: [...(own?.anchors ?? []), ...(other?.anchors ?? [])],
    unreadable: (own?.unreadable ?? 0) + (other?.unreadable ?? 0),
    missing: isMissing ? elsewhere : undefined,
  };
}

export function describeMissingAnchors(file: string): string {
  return `the anchor file ${file} (audit.anchor of tools.yaml) is gone. If you have just set it, start Kurisu once; if not, somebody removed it`;
}

function parseAnchor(line: string): AuditAnchor | undefined {
  try {
    const anchor = JSON.parse(line) as Partial<AuditAnchor> | null;
    const { at, position, seq, hash } = anchor ?? {};
    if (typeof at !== "string" || typeof hash !== "string") return undefined;
    return Number.isSafeInteger(position) && Number.isSafeInteger(seq) ? (anchor as AuditAnchor) : undefined;
  } catch {
    // Counted as unreadable by the caller.
    return undefined;
  }
}
