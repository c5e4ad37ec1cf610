import { statefulSets } from '../../../api/plain-resources.ts';
import {
  deployments,
  podDisruptionBudgets,
  pods,
  type Resource,
  replicaSets,
} from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import * as laws from '../../35-disruption/laws.ts';
import { obligations } from '../../35-disruption/oracle.ts';
import { PROCESS } from '../../35-disruption/scenario.ts';
import { type DisruptionHistory, STALING } from '../../35-disruption/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, isCalm, perHistory, recordedOf, runOf } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** The time after the rest of the whole cluster until the last status is written. */
const LATE_MS = 30_000;
/** A state is final if nobody has changed these objects for this long. */
const CALM_MS = 60_000;

const read = [podDisruptionBudgets, pods, deployments, replicaSets, statefulSets] as readonly Resource[];

/** The history of each budget. */
const each = perHistory((history): readonly DisruptionHistory[] => {
  const { struck, restedMs, endMs } = history;
  const run = runOf(history);
  const journal = run.journal.filter(({ resource }) => read.some((one) => sameResource(one, resource)));
  return history.left(podDisruptionBudgets).map(({ metadata }) => ({
    ...run,
    journal,
    budget: metadata.name,
    requests: recordedOf(history, PROCESS).recorder.requests,
    restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
    owed: [],
    leftMs: endMs,
    isCurrent: !struck.some(
      ({ fault }) => STALING.has(fault.fault) && (!('process' in fault) || fault.process === PROCESS),
    ),
  }));
});

/** The history of one budget: some laws judge all budgets at once. */
const first = (history: ClusterHistory): readonly DisruptionHistory[] => each(history).slice(0, 1);

const atEnd = (history: ClusterHistory): readonly DisruptionHistory[] => {
  if (!isCalm(history, read, CALM_MS)) return [];
  const owed = obligations({
    budgets: history.left(podDisruptionBudgets),
    pods: history.left(pods),
    deployments: history.left(deployments),
    replicaSets: history.left(replicaSets),
    statefulSets: history.left(statefulSets),
  });
  return first(history).map((one) => ({ ...one, owed, restedMs: undefined }));
};

const { computes, safe, waits, quiet } = laws;

/** The laws of disruption budgets, in a whole cluster. */
export const disruptionInCluster: KataInCluster = {
  kata: '35-disruption',
  laws: {
    ...adapted({ computes }, atEnd),
    ...adapted({ safe }, each),
    ...adapted({ waits, quiet }, first),
  },
  leftOut: {},
};
