import type { FetchedFile } from "../../channels/attachment.ts";
import type { HttpRoutes } from "../../channels/http-routes.ts";
import type { Channel } from "../../channels/types.ts";
import { channelCallBody, channelCallPath, channelCalls, fetchedFileHeader } from "./channel-calls.ts";
import { readNodeCall } from "./read-node-call.ts";

/**
 * Answers calls of other processes to the platforms that this one is connected to. 409 = it is not connected to that
 * platform, or no longer.
 */
export function mountChannelCalls(
  { app }: Pick<HttpRoutes, "app">,
  deps: {
    readonly key: string;
    readonly channels: readonly Channel[];
    readonly owns: (platform: string) => boolean;
  },
): void {
  app.post(channelCallPath, async (context) => {
    const read = await readNodeCall(context, deps.key, channelCallBody);
    if ("refused" in read) return context.body(null, read.refused);
    const { body } = read;
    const channel = deps.channels.find(({ platform }) => platform === body.platform);
    if (channel === undefined || !deps.owns(body.platform)) return context.body(null, 409);
    const given = channelCalls[body.call].safeParse(body.arguments);
    const method = channel[body.call];
    if (!given.success || method === undefined) return context.body(null, 400);
    const call = (...values: readonly unknown[]) => Reflect.apply(method, channel, values) as Promise<unknown>;
    if (body.call !== "fetchFile") return context.json({ result: await call(...given.data) });
    const [address, source, limits] = given.data;
    // The process that asks has the time limit; when it gives up, its connection ends.
    const fetched = (await call(address, source, {
      ...(limits as object),
      signal: context.req.raw.signal,
    })) as FetchedFile;
    if (fetched.kind !== "fetched") return context.json({ result: fetched });
    const { content, kind: _, ...about } = fetched;
    return context.body(new Uint8Array(content), 200, {
      "Content-Type": "application/octet-stream",
      [fetchedFileHeader]: encodeURIComponent(JSON.stringify(about)),
    });
  });
}
