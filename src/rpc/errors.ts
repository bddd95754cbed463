// The error objects of JSON-RPC, in the reference's words.

export const PARSE_ERROR = { code: -32700, message: "Parse error. Invalid JSON" } as const;
export const INVALID_REQUEST = { code: -32600, message: "Invalid Request" } as const;
export const METHOD_NOT_FOUND = { code: -32601, message: "Method not found" } as const;
export const INVALID_PARAMS = { code: -32602, message: "Invalid params" } as const;
export const INTERNAL_ERROR = { code: -32603, message: "Internal error" } as const;
export const SERVER_ERROR = { code: -32000, message: "Server error" } as const;

type Kind = { readonly code: number; readonly message: string };

/** `data` tells what is wrong; clients read it there. */
export type ErrorObject = { readonly code: number; readonly message: string; readonly data?: string };

export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly object: ErrorObject;

  constructor(kind: Kind, data?: string) {
    super(data ?? kind.message);
    this.object = { code: kind.code, message: kind.message, ...(data !== undefined && { data }) };
  }
}
