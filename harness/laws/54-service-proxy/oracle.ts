import { type Place, type PodName, podIPs } from './network.ts';
import type { Frontend } from './probe.ts';
import type { Backend, Hints, ServiceName, Shape } from './scenario.ts';

/** A service as it stands in the API: how it is, and what is behind it. */
export interface ServiceState {
  readonly name: ServiceName;
  /** Undefined when the service is not there. */
  readonly shape: Shape | undefined;
  readonly backends: readonly Backend[];
  readonly hints: Hints;
}

/** By which kind of address one comes. */
export type Door = 'cluster' | 'node-port' | 'external-ip' | 'load-balancer';

/** An address of a service, and from where it is asked for. */
export interface Question {
  readonly service: ServiceName;
  readonly door: Door;
  readonly place: Place;
  readonly frontend: Frontend;
}

/** What is to become of it. */
export interface Answer {
  /** The addresses that may take it, each with the same chance. None: nothing may. */
  readonly endpoints: readonly string[];
  /** Whether the client is to be told at once, if nothing takes it. */
  readonly isRefused: boolean;
  /** Whether what takes it sees from which address it comes; else it sees the node. */
  readonly isSeen: boolean;
}

const numbers = { web: 0, api: 1, dns: 2 } as const;

/** The addresses of a service, and where they are asked for. */
export function questionsOf({ name, shape }: Pick<ServiceState, 'name' | 'shape'>): readonly Question[] {
  const number = numbers[name];
  const protocol = name === 'dns' ? 'udp' : 'tcp';
  const port = 80 + number;
  const ask = (door: Door, ip: string, places: readonly Place[], at = port): readonly Question[] =>
    places.map((place) => ({ service: name, door, place, frontend: { ip, port: at, protocol } }));
  const addresses = addressesOf(name);
  const external = shape?.external ?? 'none';
  return [
    ...ask('cluster', addresses.clusterIP, ['pod', 'self', 'node', 'outside']),
    ...(external === 'node-port' || external === 'load-balancer'
      ? ask('node-port', '192.168.0.1', ['pod', 'self', 'node', 'other', 'outside'], addresses.nodePort)
      : []),
    ...(external === 'node-port' ? ask('node-port', '127.0.0.1', ['node'], addresses.nodePort) : []),
    ...(external === 'external-ip'
      ? ask('external-ip', addresses.externalIP, ['pod', 'node', 'outside'])
      : []),
    ...(external === 'load-balancer'
      ? ask('load-balancer', addresses.loadBalancerIP, ['pod', 'node', 'outside'])
      : []),
  ];
}

/** The addresses that a service has if it has them. */
export function addressesOf(name: ServiceName) {
  const number = numbers[name];
  return {
    clusterIP: `10.96.0.${20 + number}`,
    port: 80 + number,
    nodePort: 30_080 + number,
    externalIP: `198.51.100.${10 + number}`,
    loadBalancerIP: `198.51.100.${20 + number}`,
  };
}

/** What is to become of a connection, by what Kubernetes promises of services. */
export function answerTo({ door, place }: Question, state: ServiceState): Answer {
  const { shape } = state;
  const nothing = { endpoints: [], isSeen: false };
  if (!shape) return { ...nothing, isRefused: false };
  const usable = usableOf(state.backends);
  // The node itself is not refused at addresses that are elsewhere: it finds nothing there.
  const mayBeTold = place !== 'node' || door === 'cluster' || door === 'node-port';
  if (usable.length === 0) return { ...nothing, isRefused: mayBeTold };
  if (door === 'load-balancer' && shape.isGuarded && place !== 'outside')
    return { ...nothing, isRefused: false };

  const comesFromOutside = place === 'outside' || place === 'other';
  const isLocal = door === 'cluster' ? shape.isInternalLocal : shape.isExternalLocal && comesFromOutside;
  const chosen = isLocal ? usableOf(state.backends.filter(({ pod }) => isHere(pod))) : nearOf(usable, state);
  return {
    endpoints: chosen.map(({ pod }) => podIPs[pod]),
    isRefused: false,
    isSeen: door === 'cluster' ? place !== 'outside' : shape.isExternalLocal,
  };
}

/** Whether a pod runs on the proxy's node. */
export function isHere(pod: PodName): boolean {
  return pod.startsWith('here');
}

/** Those that are ready; if there is none, those that serve while they end. */
function usableOf(backends: readonly Backend[]): readonly Backend[] {
  const ready = backends.filter(({ state }) => state === 'ready');
  return ready.length > 0 ? ready : backends.filter(({ state }) => state === 'draining');
}

/** Hints count when each ready endpoint has one, and one of them is for this node or its zone. Each node is a zone here. */
function nearOf(usable: readonly Backend[], { hints }: ServiceState): readonly Backend[] {
  const near = usable.filter(({ pod }) => isHere(pod));
  const isReady = usable.every(({ state }) => state === 'ready');
  return isReady && (hints === 'zone' || hints === 'node') && near.length > 0 ? near : usable;
}
