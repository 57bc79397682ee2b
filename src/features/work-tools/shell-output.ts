import { z } from "zod";
import type { Sandbox } from "../../sandbox/types.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { describeLook } from "./describe-look.ts";
import type { FollowedCommands } from "./followed-commands.ts";
import type { Tool } from "../../kernel/tools/types.ts";

const maxSeconds = 60;

const input = z.strictObject({
  id: z.string().min(1).max(64).describe("The id that shell answered."),
  wait: z
    .number()
    .min(0)
    .max(maxSeconds)
    .default(0)
    .describe(`Seconds to wait for its end before looking, 0 to ${maxSeconds}.`),
  stop: z.boolean().default(false).describe("true = end it now."),
});

/** Reads further output of a followed command. The approval of the command covers its output. */
export function createShellOutputTool(parts: {
  readonly sandbox: Pick<Sandbox, "lastStatus">;
  readonly followed: FollowedCommands;
}): Tool<z.output<typeof input>> {
  const { sandbox, followed } = parts;
  return defineTool({
    name: "shell_output",
    kind: "shell",
    description: {
      zh: "看 shell 以 follow 启动的命令上次之后又输出了什么、是否结束、退出码多少;也可以结束它。",
      en: "What a command that shell started with follow has written since the last look, whether it ended, its exit code; can end it, too.",
    },
    input,
    level: "safe",
    readOnly: false,
    contained: true,
    idempotent: true,
    place: "gateway",
    timeoutMs: ({ wait }) => wait * 1000 + 60_000,
    availability: () => {
      const status = sandbox.lastStatus();
      return status.state === "ready" ? { ok: true } : { ok: false, reason: `${status.detail} ${status.remedy}` };
    },
    summarize: ({ id, stop }) => (stop ? `${id}, stop` : id),
    async run({ id, wait, stop }, context) {
      const { session, signal } = context;
      const look = await followed.look(session, id, { stop, waitMs: wait * 1000, signal });
      if (!look) {
        const error = `This chat has no command ${id}. If there was one, it was ended with a restart; run it again if it is still wanted.`;
        return { ok: false, error };
      }
      return describeLook(look, context);
    },
  });
}
