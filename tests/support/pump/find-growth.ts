/** Sizes at which a text is tried at all, so that what explodes is found while it can be waited for. */
const sizes = [32, 256, 2_000, 8_000] as const;
/** Growth is judged from here on: many readers look at their first few hundred characters closely and at no others. */
const minJudged = 2_000;
/** A call that takes less, in milliseconds of the processor, says nothing about growth. */
const floorMs = 20;
/** Four times the text may cost so many times as much: n log n gives about 4.7, n² gives 16. */
const maxGrowth = 6.5;
/** So far below it that nothing is left to judge. */
const surelyEven = 5;
/** No single text of this test may take longer, however it grows. */
const heaviestMs = 1_000;
const attempts = 4;
const minMeasuredMs = 60;

/** Around the repeats; the last makes a match fail at the end. */
const frames = [
  ["", ""],
  ["a", "\u0001x"],
  ["own", "\nx"],
] as const;

/** What took longer than its length lets it; [] = nothing did. */
export function findGrowth(
  read: (text: string) => unknown,
  units: readonly string[],
  onProgress: (unit: number, size: number) => void = () => undefined,
): readonly string[] {
  if (units.every((unit) => readOrRefuse(read, unit) instanceof TypeError))
    return ["lacks what stands behind its text"];
  const slow: string[] = [];
  for (const [place, unit] of units.entries()) {
    for (const [before, after] of frames) {
      const head = before === "own" ? (units[(place * 7 + units.length - 1) % units.length] ?? "") : before;
      const make = (size: number): string => head + unit.repeat(Math.ceil(size / unit.length)) + after;
      let spent = 0;
      const size = sizes.find((one) => {
        onProgress(place, one);
        spent = measure(read, make(one));
        return spent > (one < minJudged ? heaviestMs : floorMs);
      });
      if (size === undefined) continue;
      // A short text that takes so long explodes: nobody waits for it once more.
      if (size < minJudged)
        return [...slow, `${JSON.stringify(make(12))}: over ${heaviestMs} ms for ${size} characters`];
      if (isInLine(read, make, { size, spent })) continue;
      const found = judge(read, make, size);
      if (found === undefined) continue;
      slow.push(`${JSON.stringify(make(12))}: ${found}`);
      if (slow.length > 2) return slow;
    }
  }
  return slow;
}

/**
 * Most readers that cost something cost it evenly: the quarter, read often enough to be measured, says so at once. What it does
 * not clear is judged.
 */
function isInLine(
  read: (text: string) => unknown,
  make: (size: number) => string,
  { size, spent }: { readonly size: number; readonly spent: number },
): boolean {
  return spent <= surelyEven * measure(read, make(size / 4), 3) && spent <= heaviestMs;
}

/** Only what is too slow each time is: a busy machine makes one measurement worse, never better. */
function judge(read: (text: string) => unknown, make: (size: number) => string, size: number): string | undefined {
  let [small, large] = [Infinity, Infinity];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // The clock of some machines moves in steps of a few milliseconds, so that one short call cannot be measured.
    const times = Math.ceil(minMeasuredMs / Math.max(floorMs, measure(read, make(size))));
    large = Math.min(large, measure(read, make(size), times));
    if (large <= floorMs) return undefined;
    small = measure(read, make(size / 4), times * 4);
    if (large <= maxGrowth * small && large <= heaviestMs) return undefined;
  }
  return `${large.toFixed(0)} ms for ${size} characters, ${small.toFixed(1)} ms for ${size / 4}`;
}

/** Milliseconds of this thread on the processor for one call: other work on the machine does not count. */
function measure(read: (text: string) => unknown, text: string, times = 1): number {
  const start = process.threadCpuUsage();
  for (let call = 0; call < times; call += 1) readOrRefuse(read, text);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000 / times;
}

/** How long it takes to refuse a text counts, too; how it refuses is for other tests. */
function readOrRefuse(read: (text: string) => unknown, text: string): unknown {
  try {
    const answer = read(text);
    return answer instanceof Promise ? answer.catch((error: unknown) => error) : answer;
  } catch (error) {
    return error;
  }
}
