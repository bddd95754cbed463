// Which of the operations on one path a request means: the one whose choosing parameter it gives.

import { ApiError, CODE } from "./errors.ts";
import type { AnyOperation } from "./operations.ts";
import type { QueryParameter } from "./query-string.ts";

/**
 * Where the path has a default operation, a choosing parameter counts as given even when it is empty: an empty
 * look-up must not turn into a list. Where it has none, an empty parameter beside a given one is ignored.
 */
export function chooseOperation(candidates: readonly AnyOperation[], query: readonly QueryParameter[]): AnyOperation {
  const only = candidates[0];
  if (candidates.length === 1 && only !== undefined) return only;
  const fallback = candidates.find((operation) => operation.chosenBy === null);
  const given: AnyOperation[] = [];
  for (const { name, raw } of query) {
    if (fallback === undefined && BLANK.test(raw)) continue;
    const meant = candidates.find(({ chosenBy }) => chosenBy === name);
    if (meant !== undefined && !given.includes(meant)) given.push(meant);
  }
  const chosen = given.length === 0 ? fallback : given[0];
  if (given.length > 1 || chosen === undefined) throw ambiguous(candidates, given);
  return chosen;
}

/** Nothing, or white space in the forms in which a query string carries it. */
const BLANK = /^(?:\+|%20|%09|%0a|%0d|\s)*$/i;

function ambiguous(candidates: readonly AnyOperation[], given: readonly AnyOperation[]): ApiError {
  const names = candidates.map(({ chosenBy }) => chosenBy).join(", ");
  const found = given.length === 0 ? "none was given" : `given: ${given.map(({ chosenBy }) => chosenBy).join(", ")}`;
  return new ApiError(CODE.invalidArgument, `exactly one of ${names} is required; ${found}`);
}
