import type { Node } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import { isUndisturbed, knownVersions, type NodeHistory, viewOf } from '../history.ts';
import { LIFECYCLE } from '../operations.ts';
import {
  executeKeys,
  isManaged,
  NOT_READY,
  nameOfTaint,
  UNREACHABLE,
  wantedExecuteKey,
  wantedSchedulingTaints,
} from '../oracle/taints.ts';
import { PERIOD_MS, REQUESTS_MS } from '../oracle/times.ts';
import { zonesDuring } from '../oracle/zone-times.ts';
import { zoneOf } from '../oracle/zones.ts';
import { type Law, seconds } from './owed.ts';

/** The longest time from a state of a node to an action of a controller that has seen no newer one. */
export const KNOWN_MS = PERIOD_MS + 2 * REQUESTS_MS;

/** A write of the controller to an existing Node. */
type Change = JournalEntry<Node> & { readonly previous: Node };

function changesIn(history: NodeHistory): readonly Change[] {
  return viewOf(history).nodes.filter(
    (entry): entry is Change =>
      entry.actor === LIFECYCLE && entry.previous !== undefined && entry.type === 'MODIFIED',
  );
}

function managed(node: Node): ReadonlySet<string> {
  return new Set((node.spec.taints ?? []).filter(isManaged).map(nameOfTaint));
}

/**
 * Safety. The controller adds a taint only for a state of the node that it can have known: a state of the last seconds,
 * or, amid faults, an older one. It removes a `NoSchedule` taint only likewise.
 */
export const justified: Law = (history) =>
  changesIn(history).flatMap(({ atMs, object, previous }): readonly Violation[] => {
    const [is, was] = [managed(object), managed(previous)];
    const added = [...is].filter((taint) => !was.has(taint));
    const removed = [...was].filter((taint) => !is.has(taint) && taint.endsWith(':NoSchedule'));
    if (added.length === 0 && removed.length === 0) return [];
    const { name, uid } = object.metadata;
    const node = viewOf(history).nodesByUid.of(uid);
    const versions = knownVersions(history, LIFECYCLE, node, { atMs, withinMs: KNOWN_MS });
    const wanted = versions.map((version) => (version ? wantedTaints(version) : new Set<string>()));
    const violation = (message: string): Violation => ({ atMs, message, object: name });
    return [
      ...added
        .filter((taint) => !wanted.some((each) => each.has(taint)))
        .map((taint) =>
          violation(`the controller tainted ${name} with ${taint}, but the node gave no reason for it`),
        ),
      ...removed
        .filter((taint) => wanted.every((each) => each.has(taint)))
        .map((taint) =>
          violation(`the controller removed the taint ${taint} from ${name}, but its reason has not changed`),
        ),
    ];
  });

function wantedTaints(node: Node): ReadonlySet<string> {
  const key = wantedExecuteKey(node);
  const execute = key === undefined ? [] : [nameOfTaint({ key, effect: 'NoExecute' })];
  return new Set([...wantedSchedulingTaints(node), ...execute]);
}

/** Returns the writes that add a first `NoExecute` taint to a node. A change from one of the two to the other is none. */
export function executionsIn(history: NodeHistory): readonly Change[] {
  return changesIn(history).filter(
    ({ object, previous }) => executeKeys(object).length > 0 && executeKeys(previous).length === 0,
  );
}

/** Both taints of a node stand at the same time between two writes only. */
const BOTH_MS = 2_000;
/** A write may come this much later than its token. */
const JITTER_MS = 1_500;

/**
 * Safety. In each zone the controller taints one node in ten seconds with `NoExecute`. A zone that changes its state may
 * start with one more.
 */
export const paced: Law = (history) => {
  const last = new Map<string, Change>();
  return executionsIn(history).flatMap((change): readonly Violation[] => {
    const { atMs, object } = change;
    const zone = zoneOf(object);
    const before = last.get(zone);
    last.set(zone, change);
    if (!before || !isUndisturbed(history, LIFECYCLE, before.atMs - JITTER_MS, atMs)) return [];
    const states = zonesDuring(history, before.atMs - KNOWN_MS, atMs);
    const paces = new Set(
      states.map(({ of, areAllDown }) => (areAllDown ? Number.NaN : of.get(zone)?.everyMs)),
    );
    const [everyMs = 0] = paces;
    if (paces.size > 1 || everyMs === Number.POSITIVE_INFINITY || Number.isNaN(everyMs)) return [];
    const gapMs = atMs - before.atMs;
    if (gapMs >= everyMs - JITTER_MS) return [];
    const message = `${object.metadata.name} got its NoExecute taint ${seconds(gapMs)} after ${before.object.metadata.name} of the same zone; one is allowed every ${everyMs / 1_000} s`;
    return [{ atMs, message, object: object.metadata.name }];
  });
};

/** A pass notices the state of a zone; a taint may be on its way then. */
const BRAKED_MS = PERIOD_MS + 2 * REQUESTS_MS;

/**
 * Safety. While most nodes of a small zone are not ready, or no node of any zone is, the controller adds no `NoExecute`
 * taint.
 */
export const brakes: Law = (history) =>
  executionsIn(history).flatMap(({ atMs, object }): readonly Violation[] => {
    if (!isUndisturbed(history, LIFECYCLE, atMs - BRAKED_MS, atMs)) return [];
    const states = zonesDuring(history, atMs - BRAKED_MS, atMs);
    const zone = zoneOf(object);
    const { name } = object.metadata;
    const violation = (why: string): Violation => ({
      atMs,
      message: `${name} got its NoExecute taint, although ${why}`,
      object: name,
    });
    if (states.every(({ areAllDown }) => areAllDown)) return [violation('no node of any zone was ready')];
    if (states.every(({ of }) => of.get(zone)?.everyMs === Number.POSITIVE_INFINITY))
      return [violation('55 % or more of the nodes of its small zone were not ready')];
    return [];
  });

/** Safety. A node has one of the two `NoExecute` taints, except between the two writes of a change. */
export const exclusive: Law = (history) =>
  viewOf(history).nodesByUid.all.flatMap((node) =>
    node.versions.flatMap(({ atMs, object }, i): readonly Violation[] => {
      if (!object || executeKeys(object).length < 2) return [];
      // The version counts with the time when both stand, over all versions.
      const later = node.versions.slice(i);
      const over = later.find((each) => !each.object || executeKeys(each.object).length < 2);
      const forMs = (over?.atMs ?? history.endMs) - atMs;
      const isSeen = isUndisturbed(history, LIFECYCLE, atMs - BOTH_MS, atMs + forMs);
      if (forMs <= BOTH_MS || !isSeen || !isOwn(node.versions[i - 1]?.object, object)) return [];
      const { name } = object.metadata;
      const message = `${name} had the NoExecute taints not-ready and unreachable at the same time, for ${seconds(forMs)}`;
      return [{ atMs, message, object: name }];
    }),
  );

/** Returns whether the second of the two taints came with this version. */
function isOwn(before: Node | undefined, { spec: { taints = [] } }: Node): boolean {
  const both = taints.filter(
    ({ key, effect }) => effect === 'NoExecute' && [NOT_READY, UNREACHABLE].includes(key),
  );
  return both.length === 2 && before !== undefined && executeKeys(before).length === 1;
}
