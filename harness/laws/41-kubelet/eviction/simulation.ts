import type { New, Node, Pod } from '../../../api/objects.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import type { NodeParts } from '../../../kubelet/node/node-parts.ts';
import type { PodUsage } from '../../../kubelet/node/pod-usage.ts';
import type { SignalObservations } from '../../../kubelet/node/thresholds.ts';
import type { TraceEntry } from '../../../sim/index.ts';
import { ManualClock } from '../../../testing/manual-clock.ts';
import type { Action, EvictionHistory, PassRecord } from './history.ts';
import type { EvictedPodPlan, EvictionScenario, Pass } from './scenario.ts';

const MIB = 1024 ** 2;
/** Capacity of memory, disk and process IDs. */
export const CAPACITY = { memoryMib: 1_000, diskMib: 100_000, pids: 1_000 };

/** The functions under test. */
export type EvictionParts = Pick<NodeParts, 'newEvictionManager' | 'admitPod'>;

/** Plays a scenario of an eviction manager: the node changes between its calls, and an evicted pod leaves the node. */
export async function runEviction(
  { newEvictionManager, admitPod }: EvictionParts,
  scenario: EvictionScenario,
): Promise<EvictionHistory> {
  const clock = new ManualClock();
  const startedMs = clock.now();
  const usages = new Map<string, PodUsage>();
  let pods = scenario.pods.map((plan, i) => newPod(`pod-${i}`, plan, usages));
  let now: Pass | undefined;
  let hasReclaimed = false;
  let actions: Action[] = [];
  const manager = newEvictionManager({
    clock,
    thresholds: scenario.thresholds,
    maxPodGracePeriodSeconds: scenario.maxPodGracePeriodSeconds,
    activePods: () => pods,
    observe: async () => {
      if (!now || now.fails) throw new Error('the node does not answer');
      return { observations: observationsOf(now, hasReclaimed), pods: new Map(usages) };
    },
    reclaim: async () => {
      hasReclaimed = true;
      actions.push({ do: 'reclaim' });
    },
    evict: async (eviction) => {
      actions.push({ do: 'evict', ...eviction });
      pods = pods.filter((pod) => pod !== eviction.pod);
    },
    warn: (reason, message) => {
      actions.push({ do: 'warn', reason, message });
    },
  });
  const passes: PassRecord[] = [];
  for (const [i, pass] of scenario.passes.entries()) {
    clock.advance(pass.afterMs);
    now = pass;
    hasReclaimed = false;
    actions = [];
    const before = pods;
    const returned = await manager.synchronize().catch(() => undefined);
    const { pressure } = manager;
    const pod = pass.arrives && newPod(`new-${i}`, pass.arrives, new Map());
    const others = pods;
    passes.push({
      atMs: clock.now() - startedMs,
      pods: before,
      usages: new Map(usages),
      before: pass.fails ? undefined : observationsOf(pass, false),
      reclaimed: observationsOf(pass, true),
      actions,
      returned,
      pressure: pressure && [...pressure],
      ...(pod
        ? {
            arrival: {
              pod,
              others,
              rejection: admitPod(pod, { node, others, pressure: pressure ?? new Set() }),
            },
          }
        : {}),
    });
  }
  return {
    scenario,
    passes,
    hash: JSON.stringify(passes),
    timeline: () => drawTimeline(passes.flatMap(entriesOf)),
  };
}

/** The node that admits pods. */
const node: Pick<New<Node>, 'metadata' | 'status'> = {
  metadata: { name: 'node-1' },
  status: { allocatable: { cpu: '4', memory: `${CAPACITY.memoryMib}Mi`, pods: '5' } },
};

function observationsOf(pass: Pass, hasReclaimed: boolean): SignalObservations {
  const percent = Math.min(100, pass.diskPercent + (hasReclaimed ? pass.unusedPercent : 0));
  const disk = { available: (CAPACITY.diskMib * MIB * percent) / 100, capacity: CAPACITY.diskMib * MIB };
  const memory = { available: pass.memoryMib * MIB, capacity: CAPACITY.memoryMib * MIB };
  const pids = { available: (CAPACITY.pids * pass.pidsPercent) / 100, capacity: CAPACITY.pids };
  return {
    'nodefs.available': disk,
    ...(pass.isPartial ? {} : { 'memory.available': memory, 'pid.available': pids }),
  };
}

/** Returns a pod with this plan, and notes its usage. */
function newPod(name: string, plan: EvictedPodPlan, usages: Map<string, PodUsage>): Pod {
  const { priority, requestMib, memoryMib, diskMib, limitMib, isKnown, graceSeconds } = plan;
  const [memoryBytes, diskBytes] = [memoryMib * MIB, diskMib * MIB];
  const requests = requestMib === undefined ? {} : { memory: `${requestMib}Mi` };
  if (isKnown) {
    usages.set(name, {
      memoryBytes,
      diskBytes,
      containers: [{ name: 'app', memoryBytes, diskBytes: 0 }],
      emptyDirBytes: new Map([['data', diskBytes]]),
    });
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      name,
      uid: name,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2024-04-17T00:00:00Z',
    },
    spec: {
      containers: [{ name: 'app', image: 'program:1', resources: { requests } }],
      volumes: [{ name: 'data', emptyDir: limitMib === undefined ? {} : { sizeLimit: `${limitMib}Mi` } }],
      ...(priority === undefined ? {} : { priority }),
      ...(graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: graceSeconds }),
    },
    status: { qosClass: requestMib === undefined ? 'BestEffort' : 'Burstable' },
  } as Pod;
}

/** Returns an entry for each action, and one for the pressure. */
function entriesOf({ atMs, actions, returned, pressure }: PassRecord): readonly TraceEntry[] {
  const lines = actions.map((action) => {
    if (action.do === 'reclaim') return 'reclaims disk space';
    if (action.do === 'warn') return `warns: ${action.reason}: ${action.message}`;
    return `evicts ${action.pod.metadata.name} with a grace period of ${action.graceSeconds} s: ${action.message}`;
  });
  const end = returned === undefined ? 'rejects' : `reports ${pressure?.join(', ') || 'no pressure'}`;
  return [...lines, end].map((verb) => ({ atMs, actor: 'kubelet', verb }));
}
