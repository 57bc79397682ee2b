import { FakeRefusal, type FakePayload } from "./fake-bot-types.ts";
import type { FakeUpdateQueue } from "./fake-update-queue.ts";

/** How one post of an update ended; 0 = nobody was there. */
interface FakePost {
  readonly updateId: number;
  readonly status: number;
}

/** Posts updates as Telegram's server does: signed by the secret, those of a chat one after the other, until they are taken. */
export interface FakeWebhook {
  /** Bot API methods; throw FakeRefusal. */
  set(payload: FakePayload): true;
  remove(payload: FakePayload): true;
  info(): object;
  /** The address that is set; "" = none. */
  readonly url: () => string;
  readonly posts: readonly FakePost[];
  /** Lets no post out, as when the way from Telegram is broken. */
  hold(isHeld: boolean): void;
  close(): void;
}

/** The server waits longer and longer; tests are not to wait. */
const retryMs = 40;

/** Ports that api.telegram.org posts to; a server of one's own posts anywhere, without TLS too. */
const publicPorts = ["", "80", "88", "443", "8443"];

export function createFakeWebhook(
  queue: FakeUpdateQueue,
  { now, onPosted }: { readonly now: () => number; readonly onPosted: () => void },
): FakeWebhook {
  const posts: FakePost[] = [];
  /** Chats with a post on its way. */
  const busy = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let url = "";
  let secret: string | undefined;
  let maxConnections = 40;
  let lastError: { readonly date: number; readonly message: string } | undefined;
  let isHeld = false;
  let isClosed = false;

  function deliver(): void {
    if (url === "" || isHeld || isClosed) return;
    const seen = new Set<string>();
    for (const update of queue.pending()) {
      const chat = chatOf(update);
      if (seen.has(chat) || busy.has(chat) || busy.size >= maxConnections) continue;
      seen.add(chat);
      busy.add(chat);
      void post(update, chat);
    }
  }

  async function post(update: { readonly update_id: number }, chat: string): Promise<void> {
    const to = url;
    let status = 0;
    let reason = "Connection refused";
    try {
      const headers = {
        "content-type": "application/json",
        ...(secret !== undefined && { "x-telegram-bot-api-secret-token": secret }),
      };
      const answer = await fetch(to, { method: "POST", headers, body: JSON.stringify(update), redirect: "manual" });
      await answer.arrayBuffer();
      ({ status } = answer);
      reason = `Wrong response from the webhook: ${status} ${answer.statusText}`;
    } catch {
      // Nobody is there: posted again.
    }
    posts.push({ updateId: update.update_id, status });
    busy.delete(chat);
    if (status >= 200 && status < 300) {
      queue.confirm(update.update_id);
      deliver();
    } else if (to === url) {
      lastError = { date: now(), message: reason };
      const timer = setTimeout(() => {
        timers.delete(timer);
        deliver();
      }, retryMs);
      timers.add(timer);
    } else deliver();
    onPosted();
  }

  queue.onPush = deliver;

  function forget({ drop_pending_updates: drop }: FakePayload): void {
    lastError = undefined;
    if (drop === true) for (const { update_id: id } of queue.pending()) queue.confirm(id);
  }

  return {
    posts,
    url: () => url,
    set(payload) {
      const { url: given, secret_token: token, allowed_updates: names, max_connections: most = 40 } = payload;
      if (typeof given !== "string" || given === "") return this.remove(payload);
      const parsed = URL.parse(given);
      if (parsed === null) throw new FakeRefusal(400, "Bad Request: bad webhook: invalid URL host");
      const isLocal = ["127.0.0.1", "localhost"].includes(parsed.hostname);
      if (parsed.protocol !== "https:" && !isLocal) {
        throw new FakeRefusal(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
      }
      if (!isLocal && !publicPorts.includes(parsed.port)) {
        const ports = "Webhook can be set up only on ports 80, 88, 443 or 8443";
        throw new FakeRefusal(400, `Bad Request: bad webhook: ${ports}`);
      }
      if (token !== undefined && (typeof token !== "string" || !/^[\w-]{1,256}$/.test(token))) {
        throw new FakeRefusal(400, "Bad Request: secret token contains unallowed characters");
      }
      if (Array.isArray(names)) queue.allow(names as readonly string[]);
      forget(payload);
      url = given;
      secret = token;
      maxConnections = Math.min(100, Math.max(1, Number(most)));
      const conflict = "Conflict: terminated by setWebhook request";
      queue.interrupt(new FakeRefusal(409, conflict));
      deliver();
      return true;
    },
    remove(payload) {
      url = "";
      secret = undefined;
      forget(payload);
      return true;
    },
    info() {
      const allowed = queue.allowed();
      return {
        url,
        has_custom_certificate: false,
        pending_update_count: queue.pending().length,
        ...(url !== "" && { max_connections: maxConnections, ip_address: "127.0.0.1" }),
        ...(lastError && { last_error_date: lastError.date, last_error_message: lastError.message }),
        ...(allowed && { allowed_updates: allowed }),
      };
    },
    hold(held) {
      isHeld = held;
      deliver();
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Updates of one chat keep their order. */
function chatOf(update: object): string {
  const [content] = Object.entries(update).flatMap(([name, value]) => (name === "update_id" ? [] : [value as unknown]));
  const about = content as { readonly chat?: { readonly id?: number }; readonly message?: typeof about } | undefined;
  return String(about?.chat?.id ?? about?.message?.chat?.id ?? "");
}
