import { controllerRevisions, daemonSets } from '../../../api/plain-resources.ts';
import { nodes, pods, type Resource } from '../../../api/resource.ts';
import * as laws from '../../26-daemon-set/laws.ts';
import { obligations } from '../../26-daemon-set/oracle.ts';
import { PROCESS } from '../../26-daemon-set/scenario.ts';
import { type DaemonSetHistory, historyOf } from '../../26-daemon-set/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, isCalm, perHistory, recordedOf, runOf, selectedBy } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** The time after the rest of the whole cluster until the last status is written. */
const LATE_MS = 30_000;
/** A state is final if nobody has changed these objects for this long. */
const CALM_MS = 60_000;

const prepared = perHistory((history): DaemonSetHistory => {
  const { starts, restedMs, endMs } = history;
  return historyOf(runOf(history), {
    ...recordedOf(history, PROCESS),
    bornMs: starts.filter(({ process }) => process === PROCESS).map(({ atMs }) => atMs),
    restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
    due: [],
    leftMs: endMs,
  });
});

const whole = (history: ClusterHistory): readonly DaemonSetHistory[] => [prepared(history)];

/** The end of each DaemonSet, if nothing has happened to it for a while. */
const atEnd = perHistory((history): readonly DaemonSetHistory[] => {
  if (!isCalm(history, [daemonSets, pods] as readonly Resource[], CALM_MS)) return [];
  return history.left(daemonSets).map((set) => {
    const due = obligations({
      set,
      nodes: history.left(nodes),
      pods: history.left(pods).filter(selectedBy(set)),
      revisions: history.left(controllerRevisions),
      nowMs: history.epochMs + history.endMs,
    });
    return { ...prepared(history), due, restedMs: undefined };
  });
});

const { single, shape, patient, backsOff, gentle, atRest, quiet } = laws;

/** The laws of DaemonSets, in a whole cluster. */
export const daemonSetInCluster: KataInCluster = {
  kata: '26-daemon-set',
  laws: {
    ...adapted({ single, shape, patient, backsOff, gentle, quiet }, whole),
    ...adapted({ atRest }, atEnd),
  },
  leftOut: {
    budget:
      'a pod that a user deletes in the same instant counts as missing, and only its own simulation has no such user',
  },
};
