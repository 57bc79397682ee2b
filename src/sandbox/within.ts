/** A time limit for calls of the engine's library that take no signal. Throws the TimeoutError of AbortSignal.timeout. */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const limit = AbortSignal.timeout(milliseconds);
  const { promise, reject } = Promise.withResolvers<never>();
  const fire = (): void => reject(limit.reason as Error);
  limit.addEventListener("abort", fire, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    limit.removeEventListener("abort", fire);
  }
}
