import type * as core from '#api/core/v1';
import type { Node } from '../../api/objects.ts';
import { toleratesTaint } from '../filters/matching.ts';

/**
 * The signs of life of one node, as this controller noticed them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go nodeHealthData
 */
export interface Health {
  /** The `lastHeartbeatTime` of the condition `Ready`, as last seen; `''` if it has none, undefined without the condition. */
  readonly heartbeatTime: string | undefined;
  /** The `renewTime` of the node's Lease, as last seen; undefined if no Lease has been seen. */
  readonly renewTime: string | undefined;
  /** When the last sign of life was noticed, on the clock of this controller, in ms since 1970. */
  readonly probeMs: number;
}

/** The longest silence of a node that is still healthy. */
export interface Graces {
  /** For a node with a condition `Ready`. */
  readonly monitorMs: number;
  /** For a node whose kubelet has not posted its status yet. */
  readonly startupMs: number;
}

/**
 * The defaults of upstream.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/config/v1alpha1/defaults.go
 * RecommendedDefaultNodeLifecycleControllerConfiguration
 */
export const GRACES: Graces = { monitorMs: 50_000, startupMs: 60_000 };

/**
 * The state of a zone: the share of its nodes that are not ready.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go ZoneState
 */
export type ZoneState = 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** Taints to add to a node and to remove from it. */
export interface TaintChanges {
  readonly add: readonly core.Taint[];
  readonly remove: readonly core.Taint[];
}

/** A `NoExecute` taint, and when this controller first saw it on the node. */
export interface SeenTaint {
  readonly taint: core.Taint;
  readonly sinceMs: number;
}

/** The keys of taints that this controller sets. Upstream: kubernetes/api@v0.36.3 core/v1/well_known_taints.go */
export const TAINTS = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  memoryPressure: 'node.kubernetes.io/memory-pressure',
  diskPressure: 'node.kubernetes.io/disk-pressure',
  pidPressure: 'node.kubernetes.io/pid-pressure',
  networkUnavailable: 'node.kubernetes.io/network-unavailable',
  unschedulable: 'node.kubernetes.io/unschedulable',
} as const;

/** The taints that follow the conditions of a node. A taint with another key or effect belongs to somebody else. */
export const CONDITION_TAINTS: readonly core.Taint[] = Object.values(TAINTS).map((key) => ({
  key,
  effect: 'NoSchedule',
}));

/** The taints that evict the pods of a node that is not ready. A node has at most one of them. */
export const EXECUTE_TAINTS: readonly core.Taint[] = [TAINTS.notReady, TAINTS.unreachable].map((key) => ({
  key,
  effect: 'NoExecute',
}));

/** The taint of a node that an operator has switched off. Upstream: TaintNodeOutOfService */
export const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

const EXCLUDED = 'node.kubernetes.io/exclude-disruption';

/** Returns the condition of this type, such as `Ready`; undefined if the node has none. */
export function conditionOf({ status }: Pick<Node, 'status'>, type: string): core.NodeCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** Returns whether two taints are the same taint: they have one key and one effect. */
export function matchTaint(a: core.Taint, b: core.Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/**
 * Returns the first toleration of the list that tolerates the taint; undefined if none does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/helper/helpers.go GetMatchingTolerations
 */
export function firstToleration(
  tolerations: readonly core.Toleration[],
  taint: core.Taint,
): core.Toleration | undefined {
  return tolerations.find((toleration) => toleratesTaint(toleration, taint));
}

/**
 * Groups nodes by their region and zone. It omits nodes with the label `node.kubernetes.io/exclude-disruption`: they do
 * not count for the state of their zone.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 node/topology/helpers.go GetZoneKey;
 * kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go isNodeExcludedFromDisruptionChecks
 */
export function byZone(nodes: readonly Node[]): Map<string, Node[]> {
  const zones = new Map<string, Node[]>();
  for (const node of nodes) {
    if (node.metadata.labels?.[EXCLUDED] !== undefined) continue;
    const zone = zoneOf(node);
    zones.set(zone, [...(zones.get(zone) ?? []), node]);
  }
  return zones;
}

/** Returns a key of the node's region and zone. A node without these labels is in the zone `''`. */
export function zoneOf({ metadata: { labels = {} } }: Node): string {
  const region = labels['topology.kubernetes.io/region'] ?? '';
  const zone = labels['topology.kubernetes.io/zone'] ?? '';
  return region === '' && zone === '' ? '' : `${region}:${zone}`;
}
