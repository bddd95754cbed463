// How a door closes: nothing new is taken, what is under way is finished, and what only lies there is cut off.

/** As much of Bun's server as this needs. */
export type Stoppable = {
  /** Requests whose answer has not been sent to its last byte. */
  readonly pendingRequests: number;
  stop(closeConnections: boolean): Promise<void>;
};

/** How long answers that are under way may take. */
const GRACE_MS = 8000;
const LOOK_MS = 10;

/**
 * By itself the runtime waits for connections that have sent nothing, or half of a request, until their clients go.
 */
export async function stopServer(server: Stoppable, graceMs = GRACE_MS): Promise<void> {
  const end = performance.now() + graceMs;
  void server.stop(false);
  do await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  while (server.pendingRequests > 0 && performance.now() < end);
  await server.stop(true);
}
