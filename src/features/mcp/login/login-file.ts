import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../../core/errors.ts";
import { parseJson } from "../../../core/parse-json.ts";

const document = z.looseObject({});

/** The authorization server, and the resource that tokens are for. */
const authority = z.object({
  /** Address of the authorization server, as the discovery found it. */
  issuer: z.string(),
  /** Its metadata (RFC 8414) as the SDK reads it; absent if it has none. */
  metadata: document.optional(),
  /** The resource that tokens are for (RFC 8707), word for word. */
  resource: z.string().optional(),
});

const client = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() });

const record = z.object({
  /** The address from mcp.json when this began: tokens are never sent anywhere else. */
  url: z.string(),
  /** The client from a registration, with its issuer and redirect. */
  registration: z.object({ issuer: z.string(), redirectUrl: z.string(), client }).optional(),
  login: z
    .object({
      authority,
      client,
      accessToken: z.string(),
      refreshToken: z.string().optional(),
      /** Milliseconds since 1970-01-01 UTC. */
      expiresAt: z.number().optional(),
      /** The scope that was asked for. */
      scope: z.string().optional(),
    })
    .optional(),
  /** Rights that requests needed and no login had: the next one asks for them, too. */
  wider: z.string().optional(),
  pending: z
    .object({
      authority,
      client,
      state: z.string(),
      scope: z.string().optional(),
      verifier: z.string(),
      redirectUrl: z.string(),
      begunAt: z.number(),
    })
    .optional(),
});

const contents = z.object({ servers: z.record(z.string(), record) });

export type LoginRecord = Readonly<z.output<typeof record>>;
export type LoginAuthority = Readonly<z.output<typeof authority>>;
export type LoginClient = Readonly<z.output<typeof client>>;

/** Logins at MCP servers: KURISU_HOME/mcp-logins.json, readable by its owner only (0600). */
export interface LoginFile {
  /** Read again each time: a command of the same user may have written it. Throws AppError DATA_FOLDER_UNUSABLE. */
  all(): ReadonlyMap<string, LoginRecord>;
  /** undefined deletes the record. */
  write(server: string, record: LoginRecord | undefined): void;
}

export function createLoginFile(home: string): LoginFile {
  const path = join(home, "mcp-logins.json");

  function read(): Map<string, LoginRecord> {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
      throw error;
    }
    const parsed = contents.safeParse(parseJson(text));
    if (parsed.success) return new Map(Object.entries(parsed.data.servers));
    throw new AppError("DATA_FOLDER_UNUSABLE", `${path} cannot be read; delete it and log in again.`);
  }

  return {
    all: read,
    write(server, next) {
      const servers = read();
      if (next === undefined) servers.delete(server);
      else servers.set(server, next);
      // Written to a new file and renamed, so that readers never see half of it.
      const fresh = `${path}.${process.pid}.tmp`;
      writeFileSync(fresh, JSON.stringify({ servers: Object.fromEntries(servers) }), { mode: 0o600, flush: true });
      renameSync(fresh, path);
    },
  };
}

/** All of a record that must never be shown. */
export function listLoginSecrets({ registration, login, pending }: LoginRecord): string[] {
  return [
    registration?.client.client_secret,
    login?.accessToken,
    login?.refreshToken,
    login?.client.client_secret,
    pending?.client.client_secret,
    pending?.verifier,
  ].filter((value) => value !== undefined);
}
