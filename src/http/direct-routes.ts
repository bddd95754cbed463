// The short way to the paths without parameters, which are most of what is asked: one look-up in a map. The router, which
// knows the rest (parameters, other methods, unknown paths), takes several microseconds for each request.

type Fetch = (request: Request) => Response | Promise<Response>;

export function directRoutes(answers: ReadonlyMap<string, Fetch>, router: Fetch): Fetch {
  return (request) => {
    const answer = request.method === "GET" ? answers.get(pathOf(request.url)) : undefined;
    return answer === undefined ? router(request) : answer(request);
  };
}

/** What stands between the host and the question mark. The host begins after `http://` and has at least one character. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", 8);
  const mark = url.indexOf("?", start);
  return start === -1 ? "" : mark === -1 ? url.slice(start) : url.slice(start, mark);
}
