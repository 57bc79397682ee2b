import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
import { parseJson } from "../../../core/parse-json.ts";
import type { Store } from "../../../store/open-store.ts";
import {
  addMcpLogin,
  deleteMcpLogin,
  findMcpLogin,
  holdMcpLogin,
  listMcpLogins,
  saveMcpLogin,
} from "../queries/mcp-logins.ts";
import { raiseMcpVersion } from "../queries/mcp-version.ts";

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
      /** Another one after each login; absent in one of an earlier version. */
      id: z.string().optional(),
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
  /** A process asks for new tokens, and the others wait for them until then (milliseconds since 1970-01-01 UTC). */
  renewing: z.object({ by: z.string(), until: z.number() }).optional(),
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

export type LoginRecord = Readonly<z.output<typeof record>>;
export type LoginAuthority = Readonly<z.output<typeof authority>>;
export type LoginClient = Readonly<z.output<typeof client>>;

/** Logins at MCP servers, as the database has them: each process of it uses the same. */
export interface LoginRecords {
  all(): Promise<ReadonlyMap<string, LoginRecord>>;
  find(server: string): Promise<LoginRecord | undefined>;
  /**
   * In one transaction, after the changes of others. `next` returns what shall be there: undefined deletes the record,
   * and the given one leaves it alone. `isNews` = connections under the login from before must end.
   */
  change(
    server: string,
    next: (record: LoginRecord | undefined) => LoginRecord | undefined,
    isNews?: boolean,
  ): Promise<{ readonly before: LoginRecord | undefined; readonly after: LoginRecord | undefined }>;
}

export function openLoginRecords(parts: {
  readonly store: Pick<Store, "main">;
  readonly home: string;
  /** Other processes shall look. */
  readonly announce?: () => void;
  readonly log: Pick<Logger, "warn">;
}): LoginRecords {
  const db = parts.store.main;
  let adopting: Promise<void> | undefined;
  // A failure is tried again by the next one that asks.
  const adopt = (): Promise<void> =>
    (adopting ??= adoptLoginFile(parts).catch((error: unknown) => {
      adopting = undefined;
      throw error;
    }));

  return {
    async all() {
      await adopt();
      const rows = [...(await listMcpLogins(db))];
      return new Map(
        rows.flatMap(([server, text]) => {
          const read = readRecord(text);
          return read ? [[server, read]] : [];
        }),
      );
    },
    async find(server) {
      await adopt();
      return readRecord(await findMcpLogin(db, server));
    },
    async change(server, next, isNews = false) {
      await adopt();
      const changed = await db.transaction().execute(async (tx) => {
        if (isNews) await raiseMcpVersion(tx);
        const before = readRecord(await holdMcpLogin(tx, server));
        const after = next(before);
        if (after === undefined) await deleteMcpLogin(tx, server);
        else if (after !== before) await saveMcpLogin(tx, server, JSON.stringify(after));
        return { before, after };
      });
      if (isNews) parts.announce?.();
      return changed;
    },
  };
}

/** A damaged record counts as none: the owner logs in again. */
function readRecord(text: string | undefined): LoginRecord | undefined {
  return text === undefined ? undefined : record.safeParse(parseJson(text)).data;
}

const former = z.object({ servers: z.record(z.string(), record) });

/** Takes the logins over that earlier versions kept in KURISU_HOME/mcp-logins.json, and deletes that file. */
async function adoptLoginFile({ store, home, log }: Parameters<typeof openLoginRecords>[0]): Promise<void> {
  const path = join(home, "mcp-logins.json");
  if (!existsSync(path)) return;
  const parsed = former.safeParse(parseJson(readFileSync(path, "utf8")));
  if (!parsed.success) {
    log.warn({ file: path }, "the logins at MCP servers in this file cannot be read; delete it and log in again");
    return;
  }
  await store.main.transaction().execute(async (tx) => {
    await raiseMcpVersion(tx);
    for (const [server, one] of Object.entries(parsed.data.servers)) await addMcpLogin(tx, server, JSON.stringify(one));
  });
  rmSync(path, { force: true });
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
