import { chainName } from './chain-names.ts';
import type { Endpoint } from './endpoint.ts';
import type { ServicePort } from './service-port.ts';
import { comment, type OwnRules, rule } from './words.ts';

interface PolicyOptions {
  readonly port: ServicePort;
  readonly endpoints: readonly Endpoint[];
  readonly hasComments: boolean;
}

/**
 * Returns a chain that jumps to one of these endpoints: with session affinity to the client's previous endpoint,
 * otherwise to a random one, all with the same probability.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go writeServiceToEndpointRules
 */
export function policyRules(chain: string, { port, endpoints, hasComments }: PolicyOptions): OwnRules {
  if (endpoints.length === 0) return { chains: [], rules: [] };
  const { affinitySeconds: seconds } = port;
  const jump = (endpoint: Endpoint, match: string): string =>
    rule(
      chain,
      hasComments ? comment(`${port.name} -> ${endpoint.address}`) : '',
      match,
      `-j ${endpointChain(endpoint, port)}`,
    );
  const known = (each: Endpoint): string =>
    jump(each, `-m recent --name ${endpointChain(each, port)} --rcheck --seconds ${seconds} --reap`);
  return {
    chains: [chain],
    rules: [
      ...(seconds === undefined ? [] : endpoints.map(known)),
      ...endpoints.map((each, i) => jump(each, chanceOf(endpoints.length - i))),
    ],
  };
}

/**
 * A rule is evaluated only if the earlier rules did not match: of n rules, the first matches with probability 1/n, and
 * the last always.
 */
function chanceOf(left: number): string {
  return left === 1 ? '' : `-m statistic --mode random --probability ${(1 / left).toFixed(10)}`;
}

/** Returns the chain of an endpoint: with session affinity it records the client, and it translates the destination. */
export function endpointRules(
  endpoint: Endpoint,
  { port, hasComments }: Pick<PolicyOptions, 'port' | 'hasComments'>,
): OwnRules {
  const chain = endpointChain(endpoint, port);
  const { protocol, affinitySeconds } = port;
  const why = hasComments ? comment(port.name) : '';
  const remember = affinitySeconds === undefined ? '' : `-m recent --name ${chain} --set`;
  const there = `-m ${protocol} -p ${protocol} -j DNAT --to-destination ${endpoint.address}`;
  return {
    chains: [chain],
    rules: [
      // A pod that is its own client would otherwise answer itself directly, from an address that the client did not
      // contact.
      rule(chain, why, `-s ${endpoint.ip} -j KUBE-MARK-MASQ`),
      rule(chain, why, remember, there),
    ],
  };
}

function endpointChain({ address }: Endpoint, { name, protocol }: ServicePort): string {
  return chainName('KUBE-SEP-', name + protocol + address);
}
