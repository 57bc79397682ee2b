import { createHash } from "node:crypto";
import { readNumber } from "./check-params.ts";
import { OneBotRefusal, type FakeParams } from "./onebot-types.ts";

/** NapCat's `upload_file_stream`: pieces come in, and a path on its own disk comes out. */
export function createUploadStreams(uploaded: Map<string, Buffer>): (params: FakeParams) => FakeParams {
  const streams = new Map<string, { readonly params: FakeParams; readonly pieces: Map<number, Buffer> }>();
  return (params) => {
    const id = String(params["stream_id"]);
    const stream = streams.get(id) ?? { params, pieces: new Map<number, Buffer>() };
    const total = readNumber(stream.params, "total_chunks");
    streams.set(id, stream);
    if (params["is_complete"] !== true) {
      const index = readNumber(params, "chunk_index");
      if (index < 0 || index >= total) throw new OneBotRefusal(1200, `Invalid chunk index: ${index}`);
      stream.pieces.set(index, Buffer.from(String(params["chunk_data"]), "base64"));
      return { type: "stream", stream_id: id, status: "chunk_received", received_chunks: stream.pieces.size };
    }
    const content = Buffer.concat(
      Array.from({ length: total }, (_, index) => {
        const piece = stream.pieces.get(index);
        if (piece === undefined) throw new OneBotRefusal(1200, `Missing memory chunk ${index}`);
        return piece;
      }),
    );
    const sha256 = createHash("sha256").update(content).digest("hex");
    if (sha256 !== stream.params["expected_sha256"]) throw new OneBotRefusal(1200, "SHA256 mismatch");
    const path = `/app/napcat/temp/${String(stream.params["filename"])}`;
    uploaded.set(path, content);
    return { type: "response", stream_id: id, status: "file_complete", file_path: path, file_size: content.length };
  };
}
