/** Level 4 · One cycle. */
import type { framework, Pod, Random } from '#harness';
import type { SchedulerCache } from './cache.ts';

export class FitError extends Error {
  override readonly name = 'FitError';
  readonly pod: Pod;
  readonly numAllNodes: number;
  readonly diagnosis: framework.Diagnosis;

  constructor(options: {
    readonly pod: Pod;
    readonly numAllNodes: number;
    readonly diagnosis: framework.Diagnosis;
    readonly message: string;
  }) {
    super(options.message);
    this.pod = options.pod;
    this.numAllNodes = options.numAllNodes;
    this.diagnosis = options.diagnosis;
  }
}

export class NoNodesAvailableError extends Error {
  override readonly name = 'NoNodesAvailableError';

  constructor() {
    super('no nodes available to schedule pods');
  }
}

export function skipPodSchedule(pod: Pod, cache: Pick<SchedulerCache, 'isAssumedPod'>): boolean {
  return pod.metadata.deletionTimestamp !== undefined || cache.isAssumedPod(pod);
}

export interface SchedulePod {
  readonly profile: Pick<framework.Profile, 'filtering' | 'scoring'>;
  readonly state: framework.CycleState;
  readonly pod: Pod;
  readonly snapshot: framework.Snapshot;
  readonly random: Pick<Random, 'int'>;
  readonly startIndex?: number;
}

export interface ScheduleResult {
  readonly suggestedHost: string;
  readonly feasibleNodes: number;
  readonly nextStartIndex: number;
}

export function schedulePod(request: SchedulePod): ScheduleResult {
  const { profile, state, pod, snapshot, random, startIndex = 0 } = request;
  const { filtering, scoring } = profile;
  const numAllNodes = snapshot.nodeInfos.length;
  if (numAllNodes === 0) throw new NoNodesAvailableError();
  const { plugins } = filtering;
  const found = filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex });
  const { feasible, diagnosis, nextStartIndex } = found;
  const [first] = feasible;
  if (!first) {
    const message = filtering.fitErrorMessage(numAllNodes, diagnosis);
    throw new FitError({ pod, numAllNodes, diagnosis, message });
  }
  // The only one is the best one.
  if (feasible.length === 1) return { suggestedHost: first.name, feasibleNodes: 1, nextStartIndex };
  const scores = scoring.prioritizeNodes({ plugins: scoring.plugins, state, pod, feasible, snapshot });
  const suggestedHost = scoring.selectHost(scores, random);
  return { suggestedHost, feasibleNodes: feasible.length, nextStartIndex };
}
