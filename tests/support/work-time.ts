/** How long this thread has worked so far, milliseconds of the processor: what else the machine does counts for nothing. */
export function workTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
