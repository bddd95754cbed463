// Why a file cannot be used, in words.

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "permission is missing";
  if (code === "EISDIR") return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}
