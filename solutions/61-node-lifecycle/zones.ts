/** Level 3 · Zones, and the brakes for a zone with many failed nodes. */
import { byZone, conditionOf, type NodeLifecycle, type ZoneState } from '#given/61-node-lifecycle';
import type { Node } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go */
const UNHEALTHY_ZONE_THRESHOLD = 0.55;
const LARGE_CLUSTER_SIZE = 50;
const EVICTION_RATE = 0.1;
const SECONDARY_EVICTION_RATE = 0.01;

export function zoneState({
  ready,
  notReady,
}: {
  readonly ready: number;
  readonly notReady: number;
}): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption';
  const isPartial = notReady > 2 && notReady / (ready + notReady) >= UNHEALTHY_ZONE_THRESHOLD;
  return isPartial ? 'PartialDisruption' : 'Normal';
}

export function evictionRate(state: ZoneState, size: number): number {
  if (state !== 'PartialDisruption') return EVICTION_RATE;
  return size > LARGE_CLUSTER_SIZE ? SECONDARY_EVICTION_RATE : 0;
}

export function setBrakes(lifecycle: NodeLifecycle, nodes: readonly Node[]): void {
  const { context, healths } = lifecycle;
  const zones = [...byZone(nodes)].map(([zone, members]) => {
    const ready = members.filter((node) => conditionOf(node, 'Ready')?.status === 'True').length;
    const size = members.length;
    return { zone, size, state: zoneState({ ready, notReady: size - ready }) };
  });
  if (zones.length === 0) return;
  const allZonesDown = zones.every(({ state }) => state === 'FullDisruption');
  if (lifecycle.allZonesDown && !allZonesDown) {
    // The controller itself was probably cut off. Each node gets a whole grace period to answer again.
    for (const [uid, health] of healths) healths.set(uid, { ...health, probeMs: context.clock.now() });
  }
  lifecycle.allZonesDown = allZonesDown;
  for (const { zone, size, state } of zones) {
    lifecycle.setRate(zone, allZonesDown ? 0 : evictionRate(state, size));
  }
}
