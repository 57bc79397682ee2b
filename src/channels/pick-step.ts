/** The pause after so many failures, of steps that grow; the last one stays. */
export function pickStep(steps: readonly number[], failures: number): number {
  return steps[Math.min(failures, steps.length - 1)] ?? 1_000;
}
