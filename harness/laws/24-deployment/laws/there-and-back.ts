import fc from 'fast-check';
import type { Deployment, Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf, isReady } from '../../../api/predicates.ts';
import { deployments, events, pods, replicaSets } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import { momentsOf } from '../../../cluster/journal.ts';
import { runScriptedNodes } from '../../../cluster/nodes/scripted-nodes.ts';
import type { Components } from '../../../contracts/component.ts';
import type { ScheduledFault } from '../../../faults/index.ts';
import { apiFaults, crashes, faultSchedules } from '../../../testing/arbitraries/faults.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Violation } from '../../../testing/holds.ts';
import { type ClusterRun, recordOf } from '../../../testing/rig/play.ts';
import { untilQuiet } from '../../../testing/rig/settling.ts';
import { inWords } from '../../../testing/telling.ts';
import { Environment } from '../environment/index.ts';
import { OTHER_PROCESS, PROCESS } from '../operations.ts';
import { budgetOf, isOf, sum } from '../oracle/truth.ts';
import { describeRollout } from '../render/scenario.ts';

/** The faults of the large roll-out, as plain data. */
export interface RolloutScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly faults: readonly ScheduledFault[];
}

/** The time until the last fault. */
const FAULTS_MS = 60_000;

/** Faults of both controllers during the whole roll-out. */
export const rolloutScenarios: fc.Arbitrary<RolloutScenario> = inWords(
  fc.record({
    seed: seeds,
    schedule: schedules,
    faults: faultSchedules(
      fc.oneof(...[PROCESS, OTHER_PROCESS].flatMap((process) => [apiFaults(process), crashes(process)])),
      FAULTS_MS,
    ),
  }),
  describeRollout,
);

/** The record of the large roll-out, and its final state. */
interface RolloutHistory extends ClusterRun {
  /** The first time at which all pods had the good image; undefined if that never happened. */
  readonly goodMs: number | undefined;
  readonly restedMs: number | undefined;
  readonly left: {
    readonly deployment: Deployment;
    readonly replicaSets: readonly ReplicaSet[];
    readonly pods: readonly Pod[];
  };
}

const KEY = { namespace: 'default', name: 'web' };
const SLOWEST_MS = 4_000_000;
const QUIET_MS = 1_300_000;

/** @throws the error of the Deployment controller */
export async function runThereAndBack(
  components: Components,
  scenario: RolloutScenario,
): Promise<RolloutHistory> {
  const { seed, schedule, faults } = scenario;
  await using cluster = await createCluster({
    seed,
    schedule,
    replicas: 2,
    latencyMs: { min: 1, max: 5 },
    components,
  });
  runScriptedNodes(cluster, { count: 2 });
  const [controller] = cluster.runComponents('deploymentController', 'replicaSetController');
  const user = new Environment(cluster, {
    replicas: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    minReadySeconds: 0,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    image: 'nginx:broken',
  });
  cluster.nemesis.schedule([...faults]);
  await user.create();
  await cluster.runFor(3_000);
  await user.do({ edit: 'image', image: 'nginx:1.27' });
  const isGood = (): boolean => {
    const { status, metadata } = cluster.storage.get(deployments, KEY) as Deployment;
    const { availableReplicas, replicas, observedGeneration } = status;
    return availableReplicas === 10 && replicas === 10 && observedGeneration === metadata.generation;
  };
  const arrived = await cluster.runUntil(isGood, SLOWEST_MS);
  const goodMs = arrived ? cluster.sim.elapsedMs : undefined;
  await user.do({ edit: 'image', image: 'nginx:broken' });
  await cluster.runFor(20_000);
  await user.do({ edit: 'image', image: 'nginx:1.27' });
  cluster.nemesis.heal();
  const restedMs = await untilQuiet(cluster, {
    forMs: QUIET_MS,
    withinMs: SLOWEST_MS,
    isHeard: ({ resource }) => !sameResource(resource, events),
  });
  if (controller?.failure !== undefined) throw controller.failure;
  const { storage } = cluster;
  return {
    ...recordOf(cluster),
    goodMs,
    restedMs,
    left: {
      deployment: storage.get(deployments, KEY) as Deployment,
      replicaSets: storage.list(replicaSets) as ReplicaSet[],
      pods: storage.list(pods) as Pod[],
    },
  };
}

/**
 * At every moment at most `replicas` plus surge pods exist, without those that a ReplicaSet must still delete. Once all pods had the
 * good image, enough of the remaining pods are always ready. In the end one ReplicaSet has all pods, and the writes end.
 *
 * One large roll-out in a cluster with real controllers and scripted nodes: ten replicas get a broken image, a good one, the broken
 * one and the good one again. Meanwhile controllers crash, requests fail, and reads are stale.
 */
export const thereAndBack = (history: RolloutHistory): readonly Violation[] => {
  const { goodMs, restedMs, left } = history;
  const { max, minAvailable } = budgetOf(left.deployment);
  const violations: Violation[] = [];
  if (goodMs === undefined) violations.push({ atMs: 0, message: 'the good image never got everywhere' });
  for (const { entry, objects } of momentsOf(history.journal)) {
    const isPods = sameResource(entry.resource, pods);
    if (!isPods && !sameResource(entry.resource, replicaSets)) continue;
    const owned = [...objects(replicaSets).values()].filter((each) => isOf(each, left.deployment));
    const counts = countsOf(owned, [...objects(pods).values()]);
    const there = sum(counts.map(({ active, wanted }) => Math.min(active, wanted)));
    const ready = sum(counts.map((count) => Math.min(count.ready, count.wanted)));
    if (there > max) {
      violations.push({
        atMs: entry.atMs,
        message: `${there} pods exist that no ReplicaSet has given up; at most ${max} are allowed`,
      });
    }
    if (goodMs !== undefined && entry.atMs >= goodMs && ready < minAvailable) {
      const message = `only ${ready} pods are ready that no ReplicaSet has given up; at least ${minAvailable} must be`;
      violations.push({ atMs: entry.atMs, message });
    }
  }
  return [...violations, ...wrongInTheEnd(restedMs, left)];
};

function wrongInTheEnd(restedMs: number | undefined, left: RolloutHistory['left']): readonly Violation[] {
  if (restedMs === undefined) return [{ atMs: 0, message: 'writes went on for ever' }];
  const sizes = left.replicaSets.map(({ spec }) => spec.replicas).sort((a, b) => b - a);
  const images = new Set(left.pods.map(({ spec }) => spec.containers[0]?.image));
  if (sizes[0] === 10 && sum(sizes) === 10 && left.pods.length === 10 && images.size === 1) return [];
  const message = `in the end ReplicaSets have ${sizes.join(', ')}, and ${left.pods.length} pods exist with the images ${[...images].join(' and ')}`;
  return [{ atMs: restedMs, message }];
}

interface Count {
  /** The desired number of pods. */
  readonly wanted: number;
  /** The number of pods that are not being deleted. */
  readonly active: number;
  /** The number of these pods that are ready. */
  readonly ready: number;
}

function countsOf(owned: readonly ReplicaSet[], all: readonly Pod[]): readonly Count[] {
  return owned.map(({ metadata, spec }) => {
    const active = all.filter(
      (pod) => controllerOf(pod)?.uid === metadata.uid && pod.metadata.deletionTimestamp === undefined,
    );
    const ready = active.filter(isReady);
    return { wanted: spec.replicas, active: active.length, ready: ready.length };
  });
}
