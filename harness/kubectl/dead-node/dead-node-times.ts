import type { EndpointSlice, Node, Pod } from '../../api/objects.ts';

/** The observations of kubectl, at the moments that its name says. */
interface Observations {
  /** Number of pods on the node. */
  readonly lostPods: number;
  /** The last renewal of the node's Lease before its death. */
  readonly renewedAt: string;
  /** The Node with its taint `NoExecute`. */
  readonly marked: Node;
  /** The pod on the node at that time. */
  readonly lost: Pod | undefined;
  readonly slices: { readonly items: readonly EndpointSlice[] };
  /** The pods after the eviction. */
  readonly evicted: readonly Pod[];
  readonly poweredAtMs: number;
  /** The Node after its return. */
  readonly returned: Node;
}

/** The times of a dead node, in seconds. */
export interface DeadNodeTimes {
  readonly lostPods: number;
  /** From the last renewal of the Lease to the condition `Unknown`. */
  readonly unknownAfterS: number;
  readonly taintAfterUnknownS: number;
  readonly podUnreadyAfterUnknownS: number;
  readonly readyEndpoints: number;
  readonly evictedAfterTaintS: number;
  readonly successorNode: string | undefined;
  readonly readyAfterReturnS: number;
}

/** Computes the times from timestamps in the API, which have whole seconds. */
export function timesOf(seen: Observations): DeadNodeTimes {
  const unknownMs = transitionOf(seen.marked.status?.conditions);
  const taint = seen.marked.spec.taints?.find(({ effect }) => effect === 'NoExecute');
  const taintMs = Date.parse(taint?.timeAdded ?? '');
  const old = seen.evicted.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = old?.metadata ?? {};
  const evictedMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000;
  const newest = seen.evicted.toSorted((a, b) => createdMs(a) - createdMs(b)).at(-1);
  const endpoints = seen.slices.items.flatMap((slice) => slice.endpoints ?? []);
  return {
    lostPods: seen.lostPods,
    unknownAfterS: (unknownMs - Date.parse(seen.renewedAt)) / 1_000,
    taintAfterUnknownS: (taintMs - unknownMs) / 1_000,
    podUnreadyAfterUnknownS: (transitionOf(seen.lost?.status?.conditions) - unknownMs) / 1_000,
    readyEndpoints: endpoints.filter(({ conditions }) => conditions?.ready).length,
    evictedAfterTaintS: (evictedMs - taintMs) / 1_000,
    successorNode: newest?.spec.nodeName,
    readyAfterReturnS: (transitionOf(seen.returned.status?.conditions) - seen.poweredAtMs) / 1_000,
  };
}

type Conditions = NonNullable<Node['status']>['conditions'] | NonNullable<Pod['status']>['conditions'];

const transitionOf = (conditions: Conditions): number =>
  Date.parse(conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '');

const createdMs = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp);
