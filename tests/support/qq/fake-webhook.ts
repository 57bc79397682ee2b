import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** How Tencent calls a webhook: signed, and again after anything but its own word for "taken". */
export interface FakeWebhook {
  /** The question by which an address is taken over. */
  validate(): Promise<void>;
  post(event: object): Promise<number>;
  /** Posts until it is taken, or `tries` are over. */
  push(event: object, tries?: number): Promise<void>;
  readonly statuses: readonly number[];
}

export function createFakeWebhook(
  url: string,
  { appId, secret }: { readonly appId: string; readonly secret: string },
  now: () => number,
): FakeWebhook {
  const seed = secret.repeat(Math.ceil(32 / secret.length)).slice(0, 32);
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = createPrivateKey({ key: Buffer.concat([prefix, Buffer.from(seed)]), format: "der", type: "pkcs8" });
  const statuses: number[] = [];

  async function request(body: string): Promise<Response> {
    const timestamp = String(Math.floor(now() / 1_000));
    const headers = {
      "content-type": "application/json",
      "user-agent": "QQBot-Callback",
      "x-bot-appid": appId,
      "x-signature-timestamp": timestamp,
      "x-signature-ed25519": sign(null, Buffer.from(timestamp + body), key).toString("hex"),
    };
    return fetch(url, { method: "POST", headers, body });
  }

  async function post(event: object): Promise<number> {
    const answer = await request(JSON.stringify(event)).catch(() => undefined);
    const body = answer === undefined ? "" : await answer.text();
    const status = answer?.status ?? 0;
    const isTaken = status === 200 && (JSON.parse(body) as { op?: number }).op === 12;
    statuses.push(status);
    return isTaken ? 200 : status === 200 ? 0 : status;
  }

  return {
    statuses,
    post,
    async push(event, tries = 1_200) {
      for (let count = 0; count < tries; count += 1) {
        if ((await post(event)) === 200) return;
        await pause(50);
      }
    },
    async validate() {
      const d = { plain_token: "Arq0D5A61EgUu4OxUvOp", event_ts: "1725442341" };
      const answer = await request(JSON.stringify({ op: 13, d }));
      const { plain_token: plain, signature } = (await answer.json()) as { plain_token: string; signature: string };
      const signed = Buffer.from(d.event_ts + d.plain_token);
      const isRight = verify(null, signed, createPublicKey(key), Buffer.from(signature, "hex"));
      if (plain !== d.plain_token || !isRight) throw new Error("the webhook did not prove that it has the secret");
    },
  };
}
