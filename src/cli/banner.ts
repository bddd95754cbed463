// What `orrery dev` shows before its first block line: where it listens, whose keys it has, and what to try.

import type { Node } from "../node.ts";

export type BannerFacts = Pick<Node, "version" | "home" | "chainId" | "samples"> & {
  /** Where the HTTP door can be called. */
  readonly url: string;
  /** Where the RPC door can be called; null without one. */
  readonly rpcUrl: string | null;
  /** Where the operator's numbers are; null without them. */
  readonly metricsUrl: string | null;
};

type Samples = NonNullable<Node["samples"]>;

export function banner({ version, url, rpcUrl, metricsUrl, home, chainId, samples }: BannerFacts): string {
  const doors = [`  HTTP door  ${url}`, ...(rpcUrl === null ? [] : [`  RPC door   ${rpcUrl}`])];
  if (metricsUrl !== null) doors.push(`  metrics    ${metricsUrl}/metrics`);
  const place = [`Orrery ${version}`, ...doors, `  home       ${home}`, `  chain id   ${chainId}`];
  const calls = curlLines(url, samples).map((line) => `  ${line}`);
  return [
    ...place,
    "",
    ...(samples === null ? [] : [...accountLines(samples), "", `A sample DID: ${samples.did}`, ""]),
    "To try:",
    ...calls,
    "",
  ].join("\n");
}

function accountLines({ mnemonic, accounts }: Samples): string[] {
  const width = Math.max(...accounts.map((account) => account.name.length));
  return [
    "WARNING: these keys are public. Everyone has them; never send anything of value to these accounts.",
    `  ${mnemonic}`,
    ...accounts.map(
      ({ name, address, path, privateKey }) => `  ${name.padEnd(width)}  ${address}  ${path}  ${privateKey}`,
    ),
  ];
}

function curlLines(url: string, samples: Samples | null): string[] {
  const paths = [
    samples === null ? "/vendor/project/identity/did" : `/vendor/project/identity/did?did=${samples.did}`,
    samples === null
      ? "/core/bank/v1beta1/denoms_metadata"
      : `/core/bank/v1beta1/balances?address=${samples.accounts[0]!.address}`,
    "/core/bank/v1beta1/supply",
    "/core/auth/v1beta1/accounts?pagination.limit=3",
    "/core/base/consensus/v1beta1/blocks/latest",
  ];
  return paths.map((path) => `curl -s '${url}${path}'`);
}
