// A genesis that cannot be taken in. The message is one sentence that names the entry at fault.

export class GenesisError extends Error {
  override readonly name = "GenesisError";
}
