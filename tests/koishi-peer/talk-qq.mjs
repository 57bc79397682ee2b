// Koishi as an official QQ bot, driven through its standard streams, one JSON a line. Argument: { side, appId, secret, endpoint,
// tokenUrl } as JSON; as a webhook it waits at /qq and prints its port. In: { reply: text }, to what it heard last.
// Out: { ready }, { heard: … }, { sent: [ids] } or { failed }.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// Koishi's ES modules do not load in Node 24, its CommonJS does.
const require = createRequire(import.meta.url);
const { Context, h, HTTP, Logger } = require("koishi");
const { default: server } = require("@koishijs/plugin-server");
const { default: qq } = require("@satorijs/adapter-qq");

const { side, appId, secret, endpoint, tokenUrl } = JSON.parse(process.argv[2]);
const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
// Its log goes to standard output otherwise, among our lines.
Logger.targets[0].print = (line) => process.stderr.write(`${line}\n`);

// Its own has Tencent's address in it; what it asks and what it takes is the same.
qq.prototype._ensureAccessToken = async function () {
  const body = { appId: this.config.id, clientSecret: this.config.secret };
  const { data } = await this.ctx.http(tokenUrl, { method: "POST", data: body });
  this._token = data.access_token;
  this.http.config.headers.Authorization = `QQBot ${this._token}`;
};

const app = new Context();
app.plugin(HTTP);
if (side === "webhook") app.plugin(server, { host: "127.0.0.1", port: 40_000, maxPort: 41_999 });
app.plugin(qq, {
  id: appId,
  secret,
  type: "public",
  endpoint,
  intents: (1 << 25) | (1 << 26),
  protocol: side === "webhook" ? "webhook" : "websocket",
  retryTimes: 100,
  retryInterval: 100,
  retryLazy: 100,
});

let last;
app.middleware((session) => {
  last = session;
  const { channelId, userId, messageId, isDirect, elements } = session;
  const text = h
    .select(elements, "text")
    .map(({ attrs }) => attrs.content)
    .join("");
  write({ heard: { chat: isDirect ? `private:${channelId}` : channelId, from: userId, messageId, text } });
});
process.stdin.setEncoding("utf8");
await app.start();
write({ ready: side === "webhook" ? app.server.port : 0 });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    write({ sent: await last.send(h.text(JSON.parse(line).reply)) });
  } catch (error) {
    write({ failed: String(error) });
  }
}
process.exit(0);
