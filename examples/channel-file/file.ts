import { access, constants } from "node:fs/promises";
import { channelOptions, defineChannel } from "../../src/channels/define-channel.ts";
import { textVariable } from "../../src/core/variable-schemas.ts";

/** Kurisu in a folder: a line of `in.txt` is a message, and `out.txt` has her answers. */
export const file = defineChannel({
  name: "file",
  platform: "file",
  options: channelOptions.prefault({}).describe("A folder with in.txt and out.txt; on when FILE_CHANNEL is set."),
  environment: { FILE_CHANNEL: textVariable.optional() },
  credentials: { variables: ["FILE_CHANNEL"], hint: "the path of a folder" },
  configure: (options, { FILE_CHANNEL: folder }) => (folder === undefined ? undefined : { ...options, folder }),
  async create(settings, { clock, log }) {
    const { createFileChannel } = await import("./file-channel.ts");
    return createFileChannel({ folder: settings().folder, clock, log });
  },
  doctor: ({ folder }) =>
    access(folder, constants.W_OK).then(
      () => ({ state: "ok", detail: `${folder}/in.txt is read` }),
      () => ({
        state: "broken",
        detail: `${folder} is no folder that Kurisu may write to. Make it, or correct FILE_CHANNEL`,
      }),
    ),
});
