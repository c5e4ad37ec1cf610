import { deepEqual } from '../../../api/freeze.ts';
import type { Node } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import { disturbancesOf, isUndisturbed, type NodeHistory, readyOf, viewOf } from '../history.ts';
import { LIFECYCLE, PRESSURES } from '../operations.ts';
import { isManaged } from '../oracle/taints.ts';
import { GRACE_MS, PERIOD_MS, REQUESTS_MS, STARTUP_GRACE_MS } from '../oracle/times.ts';
import { foundAgainMs, zonesDuring } from '../oracle/zone-times.ts';
import { type Law, seconds } from './owed.ts';

/** A verdict: the controller sets Ready of a node to Unknown. */
type Verdict = JournalEntry<Node> & { readonly previous: Node };

/** Returns the verdicts of a run. */
export function verdictsIn(history: NodeHistory): readonly Verdict[] {
  return viewOf(history).nodes.filter((entry): entry is Verdict => {
    const { actor, previous, object } = entry;
    if (actor !== LIFECYCLE || !previous || entry.type === 'DELETED') return false;
    return readyOf(object)?.status === 'Unknown' && readyOf(previous)?.status !== 'Unknown';
  });
}

/** A heartbeat is noticed in the next pass. */
const NOTICED_MS = PERIOD_MS + REQUESTS_MS;
/** A creationTimestamp has whole seconds. */
const ROUNDED_MS = 1_000;

/**
 * Safety. A node becomes Unknown only after a grace period in which the controller noticed no sign of life: a renewal
 * of its lease, or a report. A controller that starts knows no sign of life yet, and waits as long. For a node that has
 * never reported, the grace period begins with its creation.
 */
export const patient: Law = (history) =>
  verdictsIn(history).flatMap(({ atMs, object, previous }) => {
    const why = whyEarly(history, previous, atMs);
    return why === undefined ? [] : [{ atMs, message: why, object: object.metadata.name }];
  });

function whyEarly(history: NodeHistory, node: Node, atMs: number): string | undefined {
  const { name, creationTimestamp } = node.metadata;
  const verdict = `the controller set Ready of ${name} to Unknown`;
  if (!readyOf(node)) {
    const ageMs = atMs - (Date.parse(creationTimestamp) - history.epochMs);
    if (ageMs + ROUNDED_MS >= STARTUP_GRACE_MS) return undefined;
    return `${verdict} ${seconds(ageMs)} after the creation of the Node; a kubelet has 60 s for its first report`;
  }
  // The last write of an incarnation that crashed may arrive after the next start.
  const sentMs = atMs - 2 * history.scenario.latencyMs;
  const born = history.starts.findLast((start) => start.process === LIFECYCLE && start.atMs <= sentMs);
  const runsMs = atMs - (born?.atMs ?? 0);
  if (runsMs < GRACE_MS)
    return `${verdict} ${seconds(runsMs)} after its own start; until then it cannot have missed signs of life for 50 s`;
  const report = reportBefore(history, node, atMs);
  if (report !== undefined && atMs - report < GRACE_MS)
    return `${verdict} ${seconds(atMs - report)} after the kubelet's report, and overwrote that report; it may do so after 50 s`;
  const foundMs = lastFoundMs(history, atMs);
  if (foundMs !== undefined && atMs - foundMs < GRACE_MS)
    return `${verdict} ${seconds(atMs - foundMs)} after the first node of all zones was ready again; until then the controller was perhaps cut off, and each node has 50 s to answer`;
  // Faults can delay the news of a heartbeat.
  if (!isUndisturbed(history, LIFECYCLE, atMs - GRACE_MS, atMs)) return undefined;
  const beats = viewOf(history).heartbeats.get(name) ?? [];
  const beatMs = beats.findLast((each) => each > atMs - GRACE_MS && each < atMs - NOTICED_MS);
  if (beatMs === undefined) return undefined;
  return `${verdict} ${seconds(atMs - beatMs)} after a sign of life; it may do so after 50 s`;
}

/** A controller has noticed a state that lasts as long. */
const LASTING_MS = 2 * PERIOD_MS;

/** Returns when a node was ready again after no node of any zone was for a while. */
function lastFoundMs(history: NodeHistory, atMs: number): number | undefined {
  const foundMs = foundAgainMs(history, atMs);
  if (foundMs <= atMs - GRACE_MS) return undefined;
  const before = zonesDuring(history, foundMs - LASTING_MS, foundMs - 0.5);
  if (!before.every(({ areAllDown }) => areAllDown)) return undefined;
  return isUndisturbed(history, LIFECYCLE, foundMs - LASTING_MS, atMs) ? foundMs : undefined;
}

/** Returns the time when the kubelet last wrote the condition Ready that this version has. */
function reportBefore(history: NodeHistory, { metadata, status }: Node, atMs: number): number | undefined {
  const heard = readyOf({ status } as Node)?.lastHeartbeatTime;
  const versions = viewOf(history).nodesByUid.of(metadata.uid)?.versions ?? [];
  const first = versions.find(
    (each) => heard !== undefined && readyOf(each.object)?.lastHeartbeatTime === heard,
  );
  return first && first.atMs < atMs ? first.atMs : undefined;
}

/** Safety and liveness: as {@link patient}, for machines whose clocks are wrong. The message names the clock. */
export const ownClock =
  (inTime: Law): Law =>
  (history) =>
    [...patient(history), ...inTime(history)].flatMap((violation): readonly Violation[] => {
      const index = Number(violation.object?.split('-').at(-1)) - 1;
      const { skewMs = 0 } = history.scenario.nodes[index] ?? {};
      if (skewMs === 0) return [];
      const fault = `${Math.abs(skewMs) / 1_000} s ${skewMs > 0 ? 'fast' : 'slow'}`;
      return [{ ...violation, message: `${violation.message}; the clock of its machine is ${fault}` }];
    });

/** Returns whether the run has a verdict about a machine with a wrong clock. */
export function judgesSkewed(history: NodeHistory): boolean {
  const skewed = new Set(
    history.scenario.nodes.flatMap(({ skewMs = 0 }, i) => (skewMs === 0 ? [] : [`node-${i + 1}`])),
  );
  return verdictsIn(history).some(({ object }) => skewed.has(object.metadata.name));
}

/** The conditions of a kubelet. */
const KUBELETS: readonly string[] = ['Ready', ...PRESSURES];

/**
 * Safety. A verdict says that nothing is known of the node: all four conditions of its kubelet are Unknown, each with its
 * reason and the time of the change. Times of heartbeats stay, and so does every other condition.
 */
export const honest: Law = (history) =>
  verdictsIn(history).flatMap(({ atMs, object, previous }): readonly Violation[] => {
    const { name } = object.metadata;
    const violation = (message: string): Violation => ({ atMs, message, object: name });
    return KUBELETS.flatMap((type): readonly Violation[] => {
      const now = object.status.conditions?.find((condition) => condition.type === type);
      const before = previous.status.conditions?.find((condition) => condition.type === type);
      if (now?.status !== 'Unknown')
        return [
          violation(
            `${name} is silent, but its condition ${type} is ${now?.status ?? 'absent'} instead of Unknown`,
          ),
        ];
      if (before?.status === 'Unknown') return [];
      const reason = before ? 'NodeStatusUnknown' : 'NodeStatusNeverUpdated';
      if (now.reason !== reason)
        return [
          violation(`the condition ${type} of ${name} has the reason ${now.reason}; expected ${reason}`),
        ];
      if (before && now.lastHeartbeatTime !== before.lastHeartbeatTime)
        return [
          violation(
            `the verdict changed lastHeartbeatTime of ${type} of ${name}, although the kubelet did not report`,
          ),
        ];
      const changedMs = Date.parse(String(now.lastTransitionTime)) - history.epochMs;
      if (Math.abs(atMs - changedMs) > AROUND_MS && !isDisturbedAround(history, atMs))
        return [
          violation(
            `the condition ${type} of ${name} changed at ${atMs} ms, but its lastTransitionTime is ${now.lastTransitionTime}`,
          ),
        ];
      return [];
    });
  });

/** Time from the decision to the write, with rounding. */
const AROUND_MS = 3_000;

function isDisturbedAround(history: NodeHistory, atMs: number): boolean {
  return disturbancesOf(history, LIFECYCLE).some(
    ({ fromMs, toMs }) => fromMs <= atMs && toMs > atMs - AROUND_MS,
  );
}

/** Safety. The controller changes only taints that it manages, and conditions in a verdict. */
export const leavesOthersAlone: Law = (history) =>
  viewOf(history).nodes.flatMap(({ actor, atMs, type, object, previous }): readonly Violation[] => {
    if (!history.starts.some(({ process }) => process === actor)) return [];
    const { name } = object.metadata;
    if (!previous || type === 'DELETED')
      return [
        {
          atMs,
          message: `${actor} ${type === 'DELETED' ? 'deleted' : 'created'} the Node ${name}`,
          object: name,
        },
      ];
    const [is, was] = [foreignParts(object), foreignParts(previous)];
    return Object.keys(was)
      .filter((part) => !deepEqual(is[part], was[part]))
      .map((part) => ({
        atMs,
        message: `${actor} changed the ${part} of ${name} from ${JSON.stringify(was[part])} to ${JSON.stringify(is[part])}, but they belong to others`,
        object: name,
      }));
  });

/** Returns the parts of a Node that belong to others. */
function foreignParts({ metadata, spec, status }: Node): Readonly<Record<string, unknown>> {
  const { taints = [], ...rest } = spec;
  const labels = Object.entries(metadata.labels ?? {}).filter(
    ([key]) => !key.startsWith('beta.kubernetes.io/'),
  );
  const { conditions = [], ...facts } = status;
  return {
    taints: taints
      .filter((taint) => !isManaged(taint))
      .map(({ key, effect, value }) => `${key}=${value ?? ''}:${effect}`)
      .sort(),
    'rest of the spec': rest,
    labels: Object.fromEntries(labels),
    annotations: metadata.annotations ?? {},
    'rest of the status': facts,
    conditions: conditions.filter(({ type }) => !KUBELETS.includes(type)),
  };
}
