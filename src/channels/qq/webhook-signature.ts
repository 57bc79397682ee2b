import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";

/** Signs and checks as Tencent does: Ed25519, with a key that both sides derive from the bot's secret. */
export interface WebhookSignature {
  /** Whether they signed these very bytes. */
  isTheirs(signature: string, timestamp: string, body: Uint8Array): boolean;
  /** Hexadecimal. */
  sign(text: string): string;
}

const seedBytes = 32;
/** A private key of Ed25519 in PKCS #8 is this and the seed (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** Source: bot.q.qq.com/wiki, interface-framework/sign. */
export function createWebhookSignature(secret: string): WebhookSignature {
  const privateKey = toPrivateKey(secret);
  const publicKey = createPublicKey(privateKey);
  return {
    isTheirs(signature, timestamp, body) {
      if (!/^[0-9a-f]{128}$/i.test(signature)) return false;
      const signed = Buffer.concat([Buffer.from(timestamp), body]);
      return verify(null, signed, publicKey, Buffer.from(signature, "hex"));
    },
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("hex"),
  };
}

/** The seed is the secret, repeated until it is long enough. */
function toPrivateKey(secret: string): KeyObject {
  const bytes = Buffer.from(secret);
  if (bytes.length === 0) throw new TypeError("the secret of the bot is empty");
  const seed = Buffer.alloc(seedBytes, bytes);
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" });
}
