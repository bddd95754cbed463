// Ctrl-C and the polite kill: the first signal asks for a clean stop, a second one ends the process at once.

/** One Ctrl-C can arrive several times: from the terminal, and passed on by npm. Within this time it counts once. */
const SAME_SIGNAL_MS = 500;

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Settles at the first signal. */
export function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        first ??= performance.now();
        if (performance.now() - first > SAME_SIGNAL_MS) process.exit(CODES[signal]);
        resolve();
      });
    }
  });
}
