import type { Pod } from '../../../api/objects.ts';
import { parseQuantity } from '../../../api/quantity.ts';
import { formatAmount, isCriticalPod } from '../../../kubelet/node/pod-limits.ts';
import { type EvictionThreshold, resourceOf, thresholdQuantity } from '../../../kubelet/node/thresholds.ts';
import { type Law as LawOf, lawAbout, type Violation } from '../../../testing/holds.ts';
import type { Action, EvictionHistory, PassRecord } from './history.ts';
import { type Demand, demandsOf, rankOf } from './oracle.ts';
import { CAPACITY } from './simulation.ts';

type Law = LawOf<EvictionHistory>;
type Evict = Extract<Action, { do: 'evict' }>;

/** Safety and liveness. While a threshold is due, each call evicts one pod; otherwise it evicts none. */
export const evictsUnderPressure: Law = lawAbout(
  {
    name: 'a call of synchronize while no threshold is due and another one while one is',
    isMet: (history) =>
      demandsOf(history).some(({ due }) => due.length > 0) &&
      demandsOf(history).some(({ due }) => due.length === 0),
  },
  (history) =>
    demandsOf(history).flatMap((demand) => {
      const { candidates, overLimits, record } = demand;
      const evicted = evictionsOf(record).map(({ pod }) => pod);
      const due = overLimits.size > 0 ? overLimits.size : Math.min(1, candidates.length);
      const { before, returned } = record;
      const isReturned =
        (returned?.map(nameOf).join() ?? 'a rejection') ===
        (before ? evicted.map(nameOf).join() : 'a rejection');
      if (!isReturned) {
        const expected = before
          ? `the evicted pods: ${namesOf(evicted)}`
          : 'a rejection, because observe rejects';
        return [
          violation(demand, `returned ${returned ? namesOf(returned) : 'a rejection'}; expected ${expected}`),
        ];
      }
      if (evicted.length === due && [...overLimits.keys()].every((pod) => evicted.includes(pod))) return [];
      return [
        violation(
          demand,
          `evicted ${namesOf(evicted)}; expected ${due === 0 ? 'no eviction' : due === 1 ? '1 pod' : `${due} pods`}: ${describeState(demand)}`,
        ),
      ];
    }),
);

/** Safety. The evicted pod is the first in the order of eviction. */
export const evictsInOrder: Law = lawAbout(
  {
    name: 'an eviction among several pods',
    isMet: (history) =>
      demandsOf(history).some(
        ({ candidates, record }) => candidates.length < record.pods.length && candidates.length > 0,
      ),
  },
  (history) =>
    demandsOf(history).flatMap((demand) => {
      const { candidates, first, record } = demand;
      if (!first || candidates.length === 0) return [];
      const resource = resourceOf(first.signal);
      return evictionsOf(record).flatMap(({ pod }) => {
        if (candidates.includes(pod)) return [];
        const ranks = record.pods.map((each) => describeRank(each, resource, record)).join('; ');
        return [
          violation(
            demand,
            `evicted ${nameOf(pod)}; expected ${namesOf(candidates, ' or ')}, to free ${resource}. The pods: ${ranks}`,
          ),
        ];
      });
    }),
);

/** Safety. A hard threshold, and an own limit, leave a pod one second; a soft threshold its own grace period up to the maximum. */
export const keepsGrace: Law = lawAbout(
  {
    name: 'an eviction for a soft threshold',
    isMet: (history) =>
      demandsOf(history).some(({ first, candidates }) => isSoft(first) && candidates.length > 0),
  },
  (history) =>
    demandsOf(history).flatMap((demand) =>
      evictionsOf(demand.record).flatMap(({ pod, graceSeconds }) => {
        const most = history.scenario.maxPodGracePeriodSeconds;
        const own = pod.spec.terminationGracePeriodSeconds;
        const expected = isSoft(demand.first) ? Math.min(own ?? most, most) : 1;
        if (graceSeconds === expected) return [];
        const why = isSoft(demand.first)
          ? `the threshold is soft, the grace period of the pod is ${own ?? 'not set'}, and maxPodGracePeriodSeconds is ${most}`
          : 'only a soft threshold leaves a pod more than 1 s';
        return [
          violation(
            demand,
            `evicted ${nameOf(pod)} with a grace period of ${graceSeconds} s; expected ${expected} s: ${why}`,
          ),
        ];
      }),
    ),
);

/** Safety. Before a call evicts a pod, it warns; under disk pressure it also reclaims disk space. */
export const reclaimsFirst: Law = lawAbout(
  {
    name: 'a disk on which the kubelet could reclaim enough space',
    isMet: (history) => demandsOf(history).some(({ reclaim }) => reclaim === 'enough'),
  },
  (history) =>
    demandsOf(history).flatMap((demand) => {
      const { first, reclaim, record } = demand;
      const expected = [
        ...(first ? [`warn EvictionThresholdMet: Attempting to reclaim ${resourceOf(first.signal)}`] : []),
        ...(reclaim === 'none' ? [] : ['reclaim']),
      ];
      const steps = record.actions.map((action) =>
        action.do === 'warn' ? `warn ${action.reason}: ${action.message}` : action.do,
      );
      const before = steps.slice(0, expected.length);
      const isRight =
        before.join() === expected.join() && steps.slice(expected.length).every((step) => step === 'evict');
      if (isRight) return [];
      return [
        violation(
          demand,
          `did this, in this order: ${steps.join(', ') || 'nothing'}; expected ${expected.join(', ') || 'no warning'}, and then only evictions, because ${describeState(demand)}`,
        ),
      ];
    }),
);

/** Safety. An eviction has the message and the condition of Kubernetes. */
export const explainsEvictions: Law = lawAbout(
  { name: 'an eviction', isMet: ({ passes }) => passes.some((record) => evictionsOf(record).length > 0) },
  (history) =>
    demandsOf(history).flatMap((demand) =>
      evictionsOf(demand.record).flatMap((eviction) => {
        const { pod, message, condition } = eviction;
        const limit = demand.overLimits.get(pod);
        const expected = limit ?? (demand.first && messageFor(demand, demand.first, pod));
        if (expected !== undefined && message !== expected) {
          return [
            violation(demand, `evicted ${nameOf(pod)} with the message "${message}"; expected "${expected}"`),
          ];
        }
        const is = condition && `${condition.type} ${condition.status} ${condition.reason}`;
        const wanted = limit === undefined ? 'DisruptionTarget True TerminationByKubelet' : undefined;
        if (is === wanted && (!condition || condition.message === message)) return [];
        return [
          violation(
            demand,
            `evicted ${nameOf(pod)} with the condition ${is ?? 'none'} ("${condition?.message ?? ''}"); expected ${wanted ?? 'none'}${wanted ? ' with the message of the eviction' : ', because it exceeds its own limit'}`,
          ),
        ];
      }),
    ),
);

/** Safety and liveness. A pressure is reported from the first call that meets a threshold until five minutes after the last one. */
export const reportsPressure: Law = lawAbout(
  {
    name: 'a pressure that ended',
    isMet: (history) =>
      demandsOf(history).some(
        ({ pressure }, i, all) => (all[i - 1]?.pressure?.size ?? 0) > (pressure?.size ?? 0),
      ),
  },
  (history) =>
    demandsOf(history).flatMap((demand) => {
      const { pressure, record } = demand;
      const [is, expected] = [record.pressure, pressure && [...pressure]].map((each) =>
        each?.toSorted().join(', '),
      );
      if (is === expected) return [];
      return [
        violation(
          demand,
          `reported the pressure ${describePressure(is)}; expected ${describePressure(expected)}. A pressure lasts until 300 s after a threshold of it was met`,
        ),
      ];
    }),
);

/** Safety. A node admits exactly the pods that its pressure and its resources allow. */
export const admitsPods: Law = lawAbout(
  {
    name: 'a pod that arrived at a node under pressure',
    isMet: ({ passes }) => passes.some(({ arrival, pressure }) => arrival && (pressure?.length ?? 0) > 0),
  },
  (history) =>
    demandsOf(history).flatMap((demand) => {
      const { arrival, pressure = [] } = demand.record;
      if (!arrival) return [];
      const { pod, others, rejection } = arrival;
      const expected = rejectionOf(pod, others, pressure);
      if (rejection?.reason === expected) return [];
      const memory = [pod, ...others].map((each) => `${nameOf(each)} ${requestOf(each) / MIB}Mi`).join(', ');
      const answer = rejection ? `rejected (${rejection.reason}: ${rejection.message})` : 'admitted';
      return [
        violation(
          demand,
          `${answer} ${nameOf(pod)} (${pod.status.qosClass}${isCriticalPod(pod) ? ', critical' : ''}); expected ${expected ? `the reason ${expected}` : 'that it is admitted'}. The pressure: ${pressure.join(', ') || 'none'}; the requests of memory: ${memory} of ${CAPACITY.memoryMib}Mi`,
        ),
      ];
    }),
);

const MIB = 1024 ** 2;

/** Number of pods that the node admits. */
const PODS = 5;

/** Returns the reason why a node rejects a pod; undefined if it admits the pod. */
function rejectionOf(pod: Pod, others: readonly Pod[], pressure: readonly string[]): string | undefined {
  const isOfMemory = pressure.length === 1 && pressure[0] === 'MemoryPressure';
  const isAllowed =
    isCriticalPod(pod) || pressure.length === 0 || (isOfMemory && pod.status.qosClass !== 'BestEffort');
  if (!isAllowed) return 'Evicted';
  if (others.length + 1 > PODS) return 'OutOfpods';
  const used = others.reduce((sum, each) => sum + requestOf(each), 0);
  const isTooMuch = requestOf(pod) > 0 && used + requestOf(pod) > CAPACITY.memoryMib * MIB;
  return isTooMuch ? 'OutOfmemory' : undefined;
}

function requestOf({ spec }: Pod): number {
  const request = spec.containers[0]?.resources?.requests?.memory;
  return request === undefined ? 0 : parseQuantity(String(request)).value();
}

/** Returns the message for a pod that is evicted for a threshold. */
function messageFor({ due, record }: Demand, { signal }: EvictionThreshold, pod: Pod): string {
  const resource = resourceOf(signal);
  const threshold = due.find((each) => resourceOf(each.signal) === resource);
  const observed = threshold && record.before?.[threshold.signal];
  const limit =
    threshold && observed
      ? `Threshold quantity: ${formatAmount(resource, thresholdQuantity(threshold.value, observed.capacity))}, available: ${formatAmount(resource, observed.available)}. `
      : '';
  const usage = record.usages.get(pod.metadata.uid);
  const used = usage?.containers[0]?.memoryBytes ?? 0;
  const isOver = resource === 'memory' && used > requestOf(pod);
  const request = String(pod.spec.containers[0]?.resources?.requests?.memory ?? '0');
  const over = isOver
    ? `Container app was using ${formatAmount('memory', used)}, request is ${request}, has larger consumption of memory. `
    : '';
  return `The node was low on resource: ${resource}. ${limit}${over}`;
}

function evictionsOf({ actions }: PassRecord): readonly Evict[] {
  return actions.filter((action) => action.do === 'evict');
}

function isSoft(threshold: EvictionThreshold | undefined): boolean {
  return (threshold?.gracePeriodMs ?? 0) > 0;
}

function violation({ record: { atMs } }: Demand, what: string): Violation {
  return { atMs, message: `synchronize ${what}` };
}

function nameOf({ metadata }: Pod): string {
  return metadata.name;
}

function namesOf(pods: readonly Pod[], between = ', '): string {
  return pods.map(nameOf).join(between) || 'no pod';
}

function describePressure(pressure: string | undefined): string {
  return pressure === undefined ? '"undefined"' : pressure === '' ? 'none' : pressure;
}

/** Describes the reason of a demand. */
function describeState(demand: Demand): string {
  const { due, first, overLimits, record } = demand;
  if (!record.before) return 'the node could not be observed';
  if (overLimits.size > 0)
    return `${namesOf([...overLimits.keys()])} exceeded the limit of an emptyDir volume`;
  if (!first) return `no threshold is due; available: ${describeAvailable(record.before)}`;
  return `the threshold of ${due.map(({ signal }) => signal).join(', ')} is due; available: ${describeAvailable(record.before, due)}${describeReclaim(demand)}; pods that are not critical: ${namesOf(record.pods.filter((pod) => !isCriticalPod(pod)))}`;
}

/** Describes the call of `reclaim`, the disk space after it, and the thresholds that it must reach. */
function describeReclaim({ due, reclaim, record: { actions, reclaimed } }: Demand): string {
  if (reclaim === 'none') return '';
  const isCalled = actions.some((action) => action.do === 'reclaim');
  const call = isCalled ? 'it called reclaim, which leaves' : 'it did not call reclaim, which would leave';
  if (reclaim === 'too little') return `; ${call} too little: ${describeAvailable(reclaimed)}`;
  const reached = due.flatMap(({ signal, value, minReclaim }) => {
    const observed = reclaimed[signal];
    if (!observed) return [];
    const { available, capacity } = observed;
    const least =
      thresholdQuantity(value, capacity) + (minReclaim ? thresholdQuantity(minReclaim, capacity) : 0);
    return [`${signal} ${available}, where ${least} is enough`];
  });
  return `; ${call} enough: ${reached.join(', ')}`;
}

function describeAvailable(observations: PassRecord['before'], due: Demand['due'] = []): string {
  const each = Object.entries(observations ?? {})
    .filter(([signal]) => due.length === 0 || due.some((threshold) => threshold.signal === signal))
    .map(([signal, { available, capacity }]) => `${signal} ${available} of ${capacity}`);
  return each.join(', ');
}

function describeRank(pod: Pod, resource: ReturnType<typeof resourceOf>, { usages }: PassRecord): string {
  if (isCriticalPod(pod)) return `${nameOf(pod)} is critical`;
  const [isKnown, isWithin, priority, room] = rankOf(pod, resource, usages.get(pod.metadata.uid));
  if (isKnown === 0) return `${nameOf(pod)} has an unknown usage and the priority ${priority}`;
  const mib = Math.abs(room) / MIB;
  return `${nameOf(pod)} uses ${mib}Mi ${isWithin ? 'less than' : 'more than'} its request and has the priority ${priority}`;
}
