// Turns of the event loop while work goes on: whatever waits is served at each of them.

/** How many there were; `atEach` is called at every one. */
export async function turnsDuring(work: () => Promise<unknown>, atEach: () => void): Promise<number> {
  let turns = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
      atEach();
    }
  })();
  await work();
  isDone = true;
  await watching;
  return turns;
}
