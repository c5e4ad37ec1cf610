import type { EndpointSlice, Service } from '../../../api/objects.ts';
import { endpointSlices, pods, services } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { SLICE } from '../../../contracts/slice-labels.ts';
import type { Machine } from '../../../node/machine.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';
import type { ProxyHistory } from '../../54-service-proxy/history.ts';
import * as proxyLaws from '../../54-service-proxy/laws.ts';
import type { Endpoint, Question, ServiceState } from '../../54-service-proxy/oracle.ts';
import type { PodState } from '../../54-service-proxy/scenario.ts';
import { chances, connect, connectEachWay } from '../../54-service-proxy/simulation/probe.ts';
import { entriesOf } from '../history.ts';
import { NAMESPACE } from '../scenario.ts';
import { inCluster } from './in-cluster.ts';

const KATA = '54-service-proxy';
const ONLY_AT_THE_END =
  'the rules of a whole cluster are looked at in the end only; answers and rightPod judge traffic';

/** The observations on one machine at the end. */
type Seen = Pick<ProxyHistory, 'looks' | 'rests' | 'clients' | 'nodeIPs'>;

/** The laws of kata 54, for the rules of each machine of a whole cluster at rest. */
export const serviceProxies = inCluster({
  kata: KATA,
  of: proxyLaws,
  inspect: (cluster) => cluster.machines.map((machine) => seenOn(machine, cluster)),
  historiesOf: (history) => {
    if (history.restedMs === undefined) return [];
    const { restedMs: _, endMs: __, left: ___, ...run } = history;
    const known = new Set([
      ...entriesOf(history, services).flatMap(
        ({ object: { spec } }) => (spec.selector && spec.clusterIP) ?? [],
      ),
      ...entriesOf(history, pods).flatMap(({ object }) => object.status.podIP ?? []),
    ]);
    const seen = history.inspected.get(KATA) as readonly Seen[];
    return seen.map((each): ProxyHistory => ({ ...run, ...each, known, foreign: [] }));
  },
  leftOut: {
    undisturbed: ONLY_AT_THE_END,
    usable: ONLY_AT_THE_END,
    sticky: ONLY_AT_THE_END,
    streams: 'no client of a whole cluster sends datagrams',
  },
});

function seenOn(machine: Machine, cluster: Cluster): Seen {
  const { host, named } = machine.network;
  const atMs = cluster.sim.elapsedMs;
  const states = statesFor(machine.node, cluster);
  const pod = [...named.values()].find((each) => addressOf(each) !== undefined);
  const from = { node: host, ...(pod && { pod }) };
  const network = { from, netfilter: host.netfilter[4] };
  const questions = states.flatMap(({ name, addresses: [ip = ''] }) =>
    (Object.keys(from) as (keyof typeof from)[]).map(
      (place): Question => ({
        service: name,
        door: 'cluster',
        place,
        frontend: { ip, port: 80, protocol: 'tcp' },
      }),
    ),
  );
  const ofNode = questions.filter(({ place }) => place === 'node');
  const sightings = questions.map((question) => ({
    question,
    outcomes: connectEachWay({ network, ...question }),
  }));
  const rest = {
    atMs,
    states,
    chances: ofNode.map((question) => ({ question, chances: chances({ network, ...question }) })),
    visits: ofNode.map((question) => ({
      question,
      reached: connect({ network, ...question }).reached,
      version: 0,
    })),
    stream: undefined,
    rules: rulesOf(host),
  };
  const client = pod && addressOf(pod);
  return {
    looks: [{ atMs, during: 'rest', states, since: states, sightings }],
    rests: [rest],
    clients: client === undefined ? {} : { pod: client },
    nodeIPs: [...host.links.values()].flatMap(({ addresses }) => addresses.map(({ ip }) => ip.text)),
  };
}

function addressOf({ links }: NetworkNamespace): string | undefined {
  return links.get('eth0')?.addresses[0]?.ip.text;
}

/** Returns the Services of users, as the proxy of a node must know them. */
function statesFor(node: string, { storage }: Cluster): readonly ServiceState[] {
  const slices = storage.list(endpointSlices, { namespace: NAMESPACE }) as EndpointSlice[];
  const all = storage.list(services, { namespace: NAMESPACE }) as Service[];
  return all.flatMap(({ metadata: { name }, spec }): readonly ServiceState[] => {
    if (!spec.selector) return [];
    const own = slices.filter(({ metadata }) => metadata.labels?.[SLICE.service] === name);
    return [
      {
        name,
        shape: {
          external: 'none',
          isExternalLocal: false,
          isInternalLocal: false,
          isSticky: spec.sessionAffinity === 'ClientIP',
          isGuarded: false,
        },
        addresses: spec.clusterIP === undefined ? [] : [spec.clusterIP],
        endpoints: own.flatMap(({ endpoints }) => (endpoints ?? []).map((each) => endpointFor(node, each))),
        hints: 'none',
      },
    ];
  });
}

type SliceEndpoint = NonNullable<EndpointSlice['endpoints']>[number];

function endpointFor(node: string, { addresses: [ip = ''], nodeName, conditions }: SliceEndpoint): Endpoint {
  const { ready = true, serving = ready, terminating = false } = conditions ?? {};
  const unready: PodState = terminating ? (serving ? 'draining' : 'ending') : 'unready';
  return { ip, isHere: nodeName === node, state: ready ? 'ready' : unready };
}

/** Returns the rules of kube-proxy. */
function rulesOf({ netfilter }: NetworkNamespace): readonly string[] {
  return Object.values(netfilter[4].tables).flatMap(({ name, chains }) =>
    [...chains].flatMap(([chain, { rules }]) =>
      chain.startsWith('KUBE-') ? rules.map(({ text }) => `${name} ${chain} ${text}`) : [],
    ),
  );
}
