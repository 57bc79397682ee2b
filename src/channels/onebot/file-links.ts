import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { HttpRoutes } from "../http-routes.ts";
import { createRareWarning } from "../rare-warning.ts";

/** A file of ours that the QQ side may fetch once. */
interface FileLink {
  readonly url: string;
  /** It leads nowhere any more. */
  revoke(): void;
}

export interface FileLinks {
  /** undefined = so many are open that another one has to wait or go another way. */
  offer(file: { readonly path: string; readonly bytes: number }): FileLink | undefined;
}

interface Offer {
  readonly digest: Buffer;
  readonly path: string;
  readonly bytes: number;
  readonly until: number;
}

const lifeMs = 5 * 60_000;
const maxOffers = 16;
const route = "/onebot/v11/file";

/**
 * Addresses of single files on our own HTTP server, for what is too large for a frame: 256 random bits, one fetch, five
 * minutes, and no longer than the call that names them. `baseUrl` = how the QQ side reaches that server.
 */
export function createFileLinks(parts: {
  readonly http: Pick<HttpRoutes, "app">;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}): FileLinks {
  const { http, baseUrl, clock, log } = parts;
  const warn = createRareWarning(log, "a file was asked for by a link that leads nowhere (any more)");
  let offers: readonly Offer[] = [];

  const dropLate = (): unknown => (offers = offers.filter(({ until }) => until > clock.now()));
  const drop = (gone: Offer): unknown => (offers = offers.filter((offer) => offer !== gone));

  /** Every offer is compared, in constant time. */
  function find(token: string): Offer | undefined {
    const digest = digestOf(token);
    dropLate();
    return offers.filter((offer) => timingSafeEqual(offer.digest, digest))[0];
  }

  http.app.get(`${route}/:token`, async (context) => {
    const offer = find(context.req.param("token"));
    // Some ask for the size first; only the bytes use an offer up, and before anything is waited for.
    const asksForSize = context.req.method === "HEAD";
    if (offer !== undefined && !asksForSize) drop(offer);
    const size = offer === undefined ? undefined : await sizeOf(offer.path);
    if (offer === undefined || size !== offer.bytes) {
      warn();
      return context.body(null, 404);
    }
    const headers = {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(offer.bytes),
      "Content-Disposition": "attachment",
      "Cache-Control": "no-store",
    };
    if (asksForSize) return context.body(null, 200, headers);
    // Not one byte more than was offered, whatever becomes of the file.
    const content = createReadStream(offer.path, { end: Math.max(0, offer.bytes - 1) });
    return context.body(Readable.toWeb(content) as ReadableStream, 200, headers);
  });

  return {
    offer({ path, bytes }) {
      dropLate();
      if (offers.length >= maxOffers) return undefined;
      const token = randomBytes(32).toString("base64url");
      const offer = { digest: digestOf(token), path, bytes, until: clock.now() + lifeMs };
      offers = [...offers, offer];
      return {
        url: `${baseUrl.replace(/\/+$/, "")}${route}/${token}`,
        revoke: () => void drop(offer),
      };
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size > 0 ? found.size : undefined;
  } catch {
    // It is gone; whoever asks learns no more than that.
    return undefined;
  }
}
