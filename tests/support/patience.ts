/**
 * How long a test waits for what must come, milliseconds. It is no statement about speed: it only ends what hangs. So it is
 * far above what a machine needs that does much else, and below the limit of a test, whose message would not say what was
 * waited for.
 */
export const patienceMs = 150_000;

/** How long a test or a hook may take altogether, milliseconds; only what is known to take longer has a limit of its own. */
export const testLimitMs = 240_000;
