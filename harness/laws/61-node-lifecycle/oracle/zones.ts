import type { Node } from '../../../api/objects.ts';
import { statusOf } from './taints.ts';
import { LARGE_ZONE, SLOW_TAINT_EVERY_MS, TAINT_EVERY_MS, UNHEALTHY_SHARE } from './times.ts';

/** The label of nodes that do not count in the shares of their zone. */
export const EXCLUDED = 'node.kubernetes.io/exclude-disruption';

/** Returns the zone of a node. */
export function zoneOf({ metadata: { labels = {} } }: Node): string {
  return `${labels['topology.kubernetes.io/region'] ?? ''}/${labels['topology.kubernetes.io/zone'] ?? ''}`;
}

/** The state of a zone: at most two nodes or few are down, most are, or all. */
export type ZoneState = 'normal' | 'partial' | 'full';

/** A zone, and the pace of its `NoExecute` taints. */
export interface Zone {
  readonly state: ZoneState;
  /** The time between two `NoExecute` taints; infinite if the controller must add none. */
  readonly everyMs: number;
}

/** The zones of a cluster. */
export interface Zones {
  readonly of: ReadonlyMap<string, Zone>;
  /** Whether no node of any zone is ready. Then the fault is probably on the side of the control plane. */
  readonly areAllDown: boolean;
}

/**
 * Returns the state of every zone.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go
 * Controller.ComputeZoneState, Controller.handleDisruption
 */
export function zonesOf(nodes: Iterable<Node>): Zones {
  const counts = new Map<string, { ready: number; down: number }>();
  for (const node of nodes) {
    const zone = zoneOf(node);
    const count = counts.get(zone) ?? { ready: 0, down: 0 };
    counts.set(zone, count);
    if (node.metadata.labels?.[EXCLUDED] !== undefined) continue;
    if (statusOf(node, 'Ready') === 'True') count.ready++;
    else count.down++;
  }
  const zones = new Map([...counts].map(([zone, { ready, down }]) => [zone, zoneWith(ready, down)]));
  const counted = [...counts.values()].filter(({ ready, down }) => ready + down > 0);
  return { of: zones, areAllDown: counted.every(({ ready }) => ready === 0) };
}

function zoneWith(ready: number, down: number): Zone {
  if (down > 0 && ready === 0) return { state: 'full', everyMs: TAINT_EVERY_MS };
  if (down > 2 && down / (down + ready) >= UNHEALTHY_SHARE) {
    const everyMs = down + ready > LARGE_ZONE ? SLOW_TAINT_EVERY_MS : Number.POSITIVE_INFINITY;
    return { state: 'partial', everyMs };
  }
  return { state: 'normal', everyMs: TAINT_EVERY_MS };
}
