/** The files that open connections, by whose addresses they take. */
export const connectingFiles: readonly string[] = [
  // Addresses that a model, a page or a message names.
  "src/web/guarded-dial.ts",
  ...["guarded-agent", "guarded-fetch", "outbound-proxy", "proxy-tunnel"].map((name) => `src/web/${name}.ts`),
  "src/web/forward-proxy.ts",
  "src/web/public-proxy.ts",
  // It writes to connections that the guard has made.
  "src/web/forward-request.ts",
  "src/web/browser/host-browser.ts",
  // It speaks to a browser over the streams that it is given.
  "src/web/browser/connect-over-pipe.ts",
  // Addresses that the operator sets, and sockets in the file system.
  "src/models/providers/find-ollama-model.ts",
  "src/channels/download-file.ts",
  "src/web/ask-endpoint.ts",
  "src/web/post-json.ts",
  "src/features/mcp/connection/server-fetch.ts",
  // Of these the operator's; what a server names goes through the guard's agent.
  "src/features/mcp/login/login-fetch.ts",
  "src/channels/qq/put-bytes.ts",
  "src/channels/telegram/api-answer.ts",
  "src/channels/telegram/bot-api.ts",
  "src/channels/onebot/accept-reverse.ts",
  "src/channels/onebot/connect-forward.ts",
  "src/channels/onebot/onebot-link.ts",
  "src/channels/onebot/probe-onebot.ts",
  "src/channels/qq/gateway-link.ts",
  "src/kernel/socket/control-socket.ts",
  // Addresses that processes of the same database report of themselves.
  "src/kernel/claims/post-to-node.ts",
  "src/store/engines/connect-postgres.ts",
  "src/store/engines/lock-database.ts",
  "src/store/engines/postgres-signals.ts",
  "src/sandbox/attach-stream.ts",
  "src/sandbox/open-sandbox.ts",
  "src/sandbox/engine-guard/listen-on-socket.ts",
  "src/sandbox/engine-guard/relay.ts",
];
