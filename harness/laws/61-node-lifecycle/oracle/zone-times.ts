import type { Node } from '../../../api/objects.ts';
import { type NodeHistory, viewOf } from '../history.ts';
import { type Zones, zonesOf } from './zones.ts';

/** The zones from this time on. */
interface ZonesAt {
  readonly atMs: number;
  readonly zones: Zones;
}

const timelines = new WeakMap<NodeHistory, readonly ZonesAt[]>();

/** Returns the states of the zones over time, oldest first: an entry for each write of a node that can change them. */
function timelineOf(history: NodeHistory): readonly ZonesAt[] {
  const known = timelines.get(history);
  if (known) return known;
  const all = new Map<string, Node>();
  const timeline: ZonesAt[] = [];
  for (const { atMs, type, object, previous } of viewOf(history).nodes) {
    if (type === 'DELETED') all.delete(object.metadata.name);
    else all.set(object.metadata.name, object);
    if (previous && type !== 'DELETED' && object.status.conditions === previous.status.conditions) continue;
    timeline.push({ atMs, zones: zonesOf(all.values()) });
  }
  timelines.set(history, timeline);
  return timeline;
}

/** Returns every state of the zones between two times, both included. */
export function zonesDuring(history: NodeHistory, fromMs: number, toMs: number): readonly Zones[] {
  const timeline = timelineOf(history);
  const before = timeline.findLast(({ atMs }) => atMs <= fromMs);
  const later = timeline.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
  return [...(before ? [before] : []), ...later].map(({ zones }) => zones);
}

/** Returns when, before this time, a node was ready again after none was: then every grace period begins anew. */
export function foundAgainMs(history: NodeHistory, beforeMs: number): number {
  const timeline = timelineOf(history);
  const found = timeline.findLast(
    ({ atMs, zones }, i) => atMs < beforeMs && !zones.areAllDown && timeline[i - 1]?.zones.areAllDown,
  );
  return found?.atMs ?? 0;
}
