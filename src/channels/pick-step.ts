/** The pause after this many failures, from growing steps; the last one repeats. */
export function pickStep(steps: readonly number[], failures: number): number {
  return steps[Math.min(failures, steps.length - 1)] ?? 1_000;
}
