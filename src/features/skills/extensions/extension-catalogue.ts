import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeError } from "../../../core/errors.ts";
import type { GuardedFetch } from "../../../web/guarded-fetch.ts";
import { readListing, type CatalogueSkill, type Listing, type ServerEntry } from "./registry-entry.ts";

const pageBytes = 2_000_000;
const pageSize = 30;

/** An installable extension, and the list that has it. */
export type Extension =
  | { readonly kind: "mcp"; readonly server: ServerEntry; readonly from: string }
  | { readonly kind: "skill"; readonly skill: CatalogueSkill; readonly from: string };

type ExtensionsFound =
  | {
      readonly ok: true;
      readonly found: readonly Extension[];
      /** Entries of the operator's own catalogue that are not understood. */
      readonly leftOut: number;
    }
  | { readonly ok: false; readonly problem: string };

/** The operator's own catalogue first, then the registry. */
export interface ExtensionCatalogue {
  readonly isSet: boolean;
  search(query: string, signal?: AbortSignal): Promise<ExtensionsFound>;
  /** Exactly the one of this name (and version, for a server). */
  find(
    wanted: { readonly kind: Extension["kind"]; readonly name: string; readonly version?: string | undefined },
    signal?: AbortSignal,
  ): Promise<{ readonly ok: true; readonly extension: Extension } | { readonly ok: false; readonly problem: string }>;
}

export function createExtensionCatalogue(parts: {
  readonly registry?: string | undefined;
  readonly catalogue?: string | undefined;
  readonly configFolder: string;
  readonly guardedFetch: GuardedFetch;
}): ExtensionCatalogue {
  const { registry, catalogue, configFolder, guardedFetch } = parts;

  async function search(query: string, signal?: AbortSignal): Promise<ExtensionsFound> {
    const own = readOwn();
    if (!own.ok) return own;
    const words = query
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== "");
    const fits = (...texts: string[]) => words.some((word) => texts.join(" ").toLowerCase().includes(word));
    const mine: Extension[] = [
      ...own.listing.skills
        .filter(({ id, description }) => fits(id, description))
        .map((skill) => ({ kind: "skill", skill, from: own.from }) as const),
      ...own.listing.servers
        .filter(({ name, description }) => fits(name, description))
        .map((server) => ({ kind: "mcp", server, from: own.from }) as const),
    ];
    const { leftOut } = own.listing;
    if (registry === undefined) return { ok: true, found: mine, leftOut };
    const listed = await readRegistry(query, signal);
    if (!listed.ok) return mine.length > 0 ? { ok: true, found: mine, leftOut } : listed;
    return {
      ok: true,
      leftOut,
      found: [...mine, ...listed.servers.map((server) => ({ kind: "mcp", server, from: registry }) as const)],
    };
  }

  function readOwn():
    | { readonly ok: true; readonly from: string; readonly listing: Listing }
    | { readonly ok: false; readonly problem: string } {
    if (catalogue === undefined) return { ok: true, from: "", listing: { servers: [], skills: [], leftOut: 0 } };
    try {
      const listing = readListing(JSON.parse(readFileSync(resolve(configFolder, catalogue), "utf8")));
      return listing
        ? { ok: true, from: catalogue, listing }
        : { ok: false, problem: `${catalogue} is no catalogue: docs/skills.md` };
    } catch (error) {
      return { ok: false, problem: `the catalogue ${catalogue} cannot be read: ${describeError(error)}` };
    }
  }

  async function readRegistry(
    query: string,
    signal?: AbortSignal,
  ): Promise<
    { readonly ok: true; readonly servers: readonly ServerEntry[] } | { readonly ok: false; readonly problem: string }
  > {
    const address = new URL(`${registry ?? ""}/v0/servers`);
    address.searchParams.set("search", query);
    address.searchParams.set("limit", String(pageSize));
    const answer = await guardedFetch({
      url: address.href,
      headers: { accept: "application/json" },
      maxBytes: pageBytes,
      ...(signal && { signal }),
    });
    if (answer.kind !== "answered") return { ok: false, problem: answer.reason };
    if (answer.status !== 200 || answer.truncated)
      return {
        ok: false,
        problem: `The registry answered with status ${answer.status}${answer.truncated ? " and too much" : ""}.`,
      };
    try {
      const listing = readListing(JSON.parse(answer.body.toString("utf8")));
      return listing
        ? { ok: true, servers: listing.servers }
        : { ok: false, problem: "The registry did not answer with a list of servers." };
    } catch {
      return { ok: false, problem: "The registry did not answer with JSON." };
    }
  }

  return {
    isSet: registry !== undefined || catalogue !== undefined,
    search,
    async find({ kind, name, version }, signal) {
      const result = await search(name, signal);
      if (!result.ok) return result;
      const named = result.found.filter((one) =>
        one.kind === "mcp" ? kind === "mcp" && one.server.name === name : kind === "skill" && one.skill.id === name,
      );
      const exact = named.find(
        (one) => one.kind === "skill" || version === undefined || one.server.version === version,
      );
      if (exact) return { ok: true, extension: exact };
      const others = named.flatMap((one) => (one.kind === "mcp" ? [one.server.version] : []));
      return {
        ok: false,
        problem: `Nothing of the kind ${kind} is listed as ${name}${version === undefined ? "" : ` ${version}`}${others.length > 0 ? `; there is ${others.join(", ")}` : ""}. Look with find_extension.`,
      };
    },
  };
}
