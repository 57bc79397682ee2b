import type { Words } from "../dictionary.ts";

export const welcome: Words["welcome"] = {
  how: "Just say what you want. Before I do anything with consequences I show you exactly what it is; it happens when you reply 「确认」 (confirm), and 「取消」 (cancel) drops it.",
  tryOne: "Not sure what to say? Try one of these:",
  helpLine: "/help has all commands.",
  examples: { clock: "What time is it?", files: "List the files in the workspace", command: "run uname -a" },
};
