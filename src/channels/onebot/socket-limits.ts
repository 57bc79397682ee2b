/** Larger frames end the connection; NapCat has the same limit. */
export const defaultMaxPayloadBytes = 50 * 1024 * 1024;

/** What every socket of the channel keeps to: a compressed frame could unpack into any size. */
export function socketLimits(maxPayload: number): { maxPayload: number; perMessageDeflate: false } {
  return { maxPayload, perMessageDeflate: false };
}
