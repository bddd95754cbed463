// A bounded load: a number of requests over a few connections, each answer read whole and checked. Answers are asked
// for as they are: what compression costs is the client's choice, and the same for every server.

export type Load = {
  readonly requests: number;
  readonly connections: number;
  /** The path of the next request. */
  readonly path: () => string;
};

const PLAIN = { headers: { "accept-encoding": "identity" } };

export async function load(url: string, { requests, connections, path }: Load): Promise<void> {
  let left = requests;
  const connection = async () => {
    while (left-- > 0) {
      const target = path();
      const response = await fetch(url + target, PLAIN);
      const body = await response.arrayBuffer();
      if (response.status !== 200 || body.byteLength === 0) throw new Error(`${response.status} for ${target}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
}
