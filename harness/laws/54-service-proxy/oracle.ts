import type { Backend, Hints, PodState, ServiceName, Shape } from './scenario.ts';
import { type Place, type PodName, podIPs } from './simulation/network.ts';
import type { Frontend } from './simulation/probe.ts';

/** An endpoint of a service. */
export interface Endpoint {
  readonly ip: string;
  /** Whether its pod runs on the proxy's node. */
  readonly isHere: boolean;
  readonly state: PodState;
  /** As in {@link Backend}. */
  readonly ghost?: Backend['ghost'];
}

/** A service in the API: its shape and its endpoints. */
export interface ServiceState {
  readonly name: string;
  /** Undefined when the service does not exist. */
  readonly shape: Shape | undefined;
  /** Its addresses, besides those of its endpoints. */
  readonly addresses: readonly string[];
  readonly endpoints: readonly Endpoint[];
  readonly hints: Hints;
}

/** Returns the endpoints that these backends are. */
export function endpointsOf(backends: readonly Backend[]): readonly Endpoint[] {
  return backends.map(({ pod, state, ghost }) => ({
    ip: podIPs[pod],
    isHere: isHere(pod),
    state,
    ...(ghost && { ghost }),
  }));
}

/** The kind of address that a client uses. */
export type Door = 'cluster' | 'node-port' | 'external-ip' | 'load-balancer';

/** An address of a service, and the origin of the connection. */
export interface Question {
  readonly service: string;
  readonly door: Door;
  readonly place: Place;
  readonly frontend: Frontend;
}

/** The expected outcome of a question. */
export interface Answer {
  /** The addresses that may accept it, with equal probabilities; empty if none may. */
  readonly endpoints: readonly string[];
  /** Whether the client must be rejected immediately without an endpoint. */
  readonly isRefused: boolean;
  /** Whether the endpoint sees the client's address; otherwise it sees the node's address. */
  readonly isSeen: boolean;
}

const numbers = { web: 0, api: 1, dns: 2 } as const;

/** Returns the addresses of a service, with the possible origins. */
export function questionsOf(name: ServiceName, shape: Shape | undefined): readonly Question[] {
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

/** Returns the addresses that a service can have. */
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

/** Returns the expected outcome of a connection, according to the promises of Kubernetes. */
export function answerTo({ door, place }: Question, state: ServiceState): Answer {
  const { shape } = state;
  const nothing = { endpoints: [], isSeen: false };
  if (!shape) return { ...nothing, isRefused: false };
  const usable = usableOf(state.endpoints);
  // The node itself is not rejected at addresses of other machines: its packet finds no host there.
  const mayBeTold = place !== 'node' || door === 'cluster' || door === 'node-port';
  if (usable.length === 0) return { ...nothing, isRefused: mayBeTold };
  if (door === 'load-balancer' && shape.isGuarded && place !== 'outside')
    return { ...nothing, isRefused: false };

  const comesFromOutside = place === 'outside' || place === 'other';
  const isLocal = door === 'cluster' ? shape.isInternalLocal : shape.isExternalLocal && comesFromOutside;
  const chosen = isLocal
    ? usableOf(state.endpoints.filter((endpoint) => endpoint.isHere))
    : nearOf(usable, state);
  return {
    endpoints: chosen.map(({ ip }) => ip),
    isRefused: false,
    isSeen: door === 'cluster' ? place !== 'outside' : shape.isExternalLocal,
  };
}

/** Does the pod run on the proxy's node? */
export function isHere(pod: PodName): boolean {
  return pod.startsWith('here');
}

/** Returns the ready endpoints; without any, the terminating endpoints that still serve. */
function usableOf(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const ready = endpoints.filter(({ state }) => state === 'ready');
  return ready.length > 0 ? ready : endpoints.filter(({ state }) => state === 'draining');
}

/**
 * Returns the endpoints that hints allow. Hints count if each ready endpoint has one, and one of them is for this node
 * or its zone. Each node is a zone here.
 */
function nearOf(usable: readonly Endpoint[], { hints }: ServiceState): readonly Endpoint[] {
  const near = usable.filter((endpoint) => endpoint.isHere);
  const isReady = usable.every(({ state }) => state === 'ready');
  return isReady && (hints === 'zone' || hints === 'node') && near.length > 0 ? near : usable;
}
