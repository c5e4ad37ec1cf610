import { describe, expect, test } from 'vitest';
import type { EndpointSlice, Service } from '#harness';
import { named, vectors } from '#harness/testing';
import { type ChainPrefix, chainName } from './chain-names.ts';
import { defaultConfiguration } from './configuration.ts';
import { serviceOf, sliceOf, written } from './objects.fixture.ts';

interface VectorRule {
  readonly match: string;
  readonly target: string;
}

type Chains = Readonly<Record<string, readonly VectorRule[]>>;

interface VectorService {
  readonly name: string;
  readonly clusterIP: string;
  readonly port: number;
  readonly nodePort?: number;
  readonly externalIPs?: readonly string[];
  readonly loadBalancerIPs?: readonly string[];
  readonly externalTrafficPolicy?: string;
  readonly sessionAffinity?: string;
  readonly timeoutSeconds?: number;
}

interface RulesInput {
  readonly service?: VectorService;
  readonly endpoints?: readonly (string | { readonly address: string; readonly local: boolean })[];
}

interface RulesOutcome {
  readonly chains?: Chains;
  readonly filter?: Chains;
  readonly nat?: Chains;
  readonly ext?: readonly VectorRule[];
  readonly svc?: readonly VectorRule[];
  readonly sep?: readonly VectorRule[];
}

describe('Upstream’s own tables', () => {
  test.each(
    named(vectors<{ prefix: ChainPrefix; text: string }, { chain: string }>('kube-proxy', 'chainName', 5)),
  )('chainName: %s', (_, { input, expect: outcome }) => {
    expect(chainName(input.prefix, input.text)).toBe(outcome.chain);
  });

  test.each(
    named(
      vectors<{ endpoints: number }, { probabilities: readonly (string | null)[] }>(
        'kube-proxy',
        'probabilities',
        3,
      ),
    ),
  )('probabilities: %s', (_, { input, expect: outcome }) => {
    const endpoints = Array.from({ length: input.endpoints }, (_, i) => `10.0.0.${i + 1}:80`);
    const { nat } = tablesOf({ service: plain, endpoints });
    const chances = [...nat]
      .filter(([chain]) => chain.startsWith('KUBE-SVC-'))
      .flatMap(([, rules]) => rules.filter((rule) => rule.includes('-j KUBE-SEP-')))
      .map((rule) => /--probability (\S+)/.exec(rule)?.[1] ?? null);
    expect(chances).toEqual(outcome.probabilities);
  });

  test.each(named(vectors<RulesInput, RulesOutcome>('kube-proxy', 'rules', 5)))('rules: %s', (_, row) => {
    const { input, expect: outcome } = row;
    const { nat, filter } = tablesOf(input);
    for (const [chain, rules] of Object.entries(outcome.chains ?? {})) {
      expect(read(nat, chain), chain).toEqual(rules);
    }
    for (const [chain, rules] of Object.entries(outcome.filter ?? {})) {
      expect(read(filter, chain), chain).toEqual(rules);
    }
    // The table `nat` has no rule for the service, only those that exist without any service.
    if (outcome.nat) expect([...nat]).toEqual([...tablesOf({}).nat]);
    for (const kind of ['ext', 'svc', 'sep'] as const) {
      const [chain = ''] = [...nat.keys()].filter((name) => name.startsWith(`KUBE-${kind.toUpperCase()}-`));
      if (outcome[kind]) expect(read(nat, chain), kind).toEqual(outcome[kind]);
    }
  });
});

const plain: VectorService = { name: 'ns/svc:p', clusterIP: '172.30.0.1', port: 80 };

type Rules = ReadonlyMap<string, readonly string[]>;

/** Returns the rules of both tables, by chain. */
function tablesOf({ service, endpoints = [] }: RulesInput): { readonly nat: Rules; readonly filter: Rules } {
  const configuration = { ...defaultConfiguration, clusterCIDR: '10.0.0.0/8' };
  const [, key = '', portName = ''] = /^(.+):(.+)$/.exec(service?.name ?? '') ?? [];
  const services: readonly Service[] = service ? [objectOf(key, portName, service)] : [];
  const slices: readonly EndpointSlice[] = endpoints.map((endpoint) => {
    const { address, local } = typeof endpoint === 'string' ? { address: endpoint, local: true } : endpoint;
    const [ip = '', port] = address.split(':');
    return sliceOf(
      key,
      [{ addresses: [ip], conditions: { ready: true }, nodeName: local ? 'node-1' : 'node-2' }],
      [{ name: portName, protocol: 'TCP', port: Number(port) }],
    );
  });
  const [filter = '', nat = ''] = written(services, slices, { configuration }).split('COMMIT');
  return { nat: chainsOf(nat), filter: chainsOf(filter) };
}

function objectOf(key: string, portName: string, service: VectorService): Service {
  const { clusterIP, port, nodePort, externalIPs = [], loadBalancerIPs = [] } = service;
  const { externalTrafficPolicy, sessionAffinity, timeoutSeconds } = service;
  return serviceOf(
    key,
    {
      type: nodePort ? 'LoadBalancer' : 'ClusterIP',
      clusterIP,
      ports: [{ name: portName, protocol: 'TCP', port, ...(nodePort && { nodePort }) }],
      externalIPs: [...externalIPs],
      ...(externalTrafficPolicy && { externalTrafficPolicy }),
      ...(sessionAffinity && { sessionAffinity }),
      ...(timeoutSeconds && { sessionAffinityConfig: { clientIP: { timeoutSeconds } } }),
    },
    { loadBalancer: { ingress: loadBalancerIPs.map((ip) => ({ ip })) } },
  );
}

function chainsOf(text: string): Rules {
  const chains = new Map<string, string[]>();
  for (const [, chain = '', rule = ''] of text.matchAll(/^-A (\S+) (.*)$/gm)) {
    chains.set(chain, [...(chains.get(chain) ?? []), rule]);
  }
  return chains;
}

/**
 * Returns a chain in the notation of upstream's tables: without comments, iptables options, and the jump to nodePorts,
 * which is always the same.
 */
function read(chains: Rules, chain: string): readonly VectorRule[] {
  const rules = (chains.get(chain) ?? []).filter((rule) => !rule.endsWith('-j KUBE-NODEPORTS'));
  return rules.map((rule) => {
    const [, options = '', target = ''] = /^(.*?)-j (.+)$/.exec(rule) ?? [];
    const [, not = ''] = /(! -s \S+)/.exec(options) ?? [];
    const match = options
      .replace(/-m comment --comment "[^"]*"/, '')
      .replace(not, '')
      .replace(/-m (\w+) -p \1/, '$1')
      .replace(/-m tcp -p tcp/, 'tcp')
      .replace(/(tcp) (-d \S+)/, '$2 $1')
      .replace('--dport', 'dport')
      .replace(/-m addrtype --(\w+-type)/, '$1')
      .replace(/-m recent --name \S+ --rcheck --seconds (\d+) --reap/, 'recent rcheck $1 reap')
      .replace(/-m recent --name \S+ --set/, 'recent set')
      .replace(/-m mark ! --mark/, 'mark not');
    return {
      match: `${match} ${not}`.trim().replace(/\s+/g, ' '),
      target: target
        .replace('--to-destination ', '')
        .replace(' --random-fully', '')
        .replace(/--(\w+)-mark/, '$1'),
    };
  });
}
