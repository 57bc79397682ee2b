/**
 * Cuts calls that run one after the other into batches that run side by side. Neighbours that are safe beside others share
 * a batch of at most `most`; any other runs alone. Flattened, the batches are the calls in their order.
 */
export function partitionBatches<Call>(
  calls: readonly Call[],
  isSafe: (call: Call) => boolean,
  most: number,
): readonly (readonly Call[])[] {
  const batches: Call[][] = [];
  let open: Call[] | undefined;
  for (const call of calls) {
    const safe = isSafe(call);
    if (safe && open !== undefined && open.length < most) {
      open.push(call);
      continue;
    }
    const batch = [call];
    batches.push(batch);
    open = safe ? batch : undefined;
  }
  return batches;
}
