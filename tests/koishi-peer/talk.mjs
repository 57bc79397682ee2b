// Koishi on a OneBot account, driven through its standard streams, one JSON a line. Argument: { protocol, selfId, token,
// endpoint? } as JSON; without an endpoint it waits for the account at /onebot (reverse) and prints its port.
// In: { say: { chat, text, replyTo?, at? } }. Out: { ready }, { heard: … }, { sent: [ids] } or { failed }.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// Koishi's ES modules do not load in Node 24, its CommonJS does.
const require = createRequire(import.meta.url);
const { Context, h, HTTP, Logger } = require("koishi");
const { default: server } = require("@koishijs/plugin-server");
const { default: onebot } = require("koishi-plugin-adapter-onebot");

const { protocol, selfId, token, endpoint } = JSON.parse(process.argv[2]);
const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
// Its log goes to standard output otherwise, among our lines.
Logger.targets[0].print = (line) => process.stderr.write(`${line}\n`);

const app = new Context();
app.plugin(HTTP);
if (protocol === "ws-reverse") app.plugin(server, { host: "127.0.0.1", port: 38_000, maxPort: 39_999 });
app.plugin(onebot, { selfId, token, protocol, endpoint, retryTimes: 100, retryInterval: 100, retryLazy: 100 });

app.middleware((session) => {
  const { elements, channelId, userId, messageId, isDirect, quote } = session;
  write({
    heard: {
      chat: isDirect ? channelId : `group:${channelId}`,
      from: userId,
      messageId,
      text: h
        .select(elements, "text")
        .map(({ attrs }) => attrs.content)
        .join(""),
      addressed: isDirect || session.stripped.appel,
      quote: quote?.id,
    },
  });
});
process.stdin.setEncoding("utf8");
for await (const line of await listen()) {
  const { chat, text, replyTo, at } = JSON.parse(line).say;
  const parts = [replyTo && h.quote(String(replyTo)), at && h.at(String(at)), h.text(text)].filter(Boolean);
  try {
    write({ sent: await app.bots[0].sendMessage(chat.replace("group:", ""), parts) });
  } catch (error) {
    write({ failed: String(error) });
  }
}
process.exit(0);

async function listen() {
  await app.start();
  write({ ready: protocol === "ws-reverse" ? app.server.port : 0 });
  return createInterface({ input: process.stdin });
}
