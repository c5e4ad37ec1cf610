import { controllerRevisions, statefulSets } from '../../../api/plain-resources.ts';
import { pods, type Resource } from '../../../api/resource.ts';
import * as laws from '../../27-stateful-set/laws.ts';
import { obligations } from '../../27-stateful-set/oracle.ts';
import { PROCESS } from '../../27-stateful-set/scenario.ts';
import { historyOf, type StatefulSetHistory } from '../../27-stateful-set/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, isCalm, perHistory, recordedOf, runOf, selectedBy } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** The time after the rest of the whole cluster until the last status is written. */
const LATE_MS = 30_000;
/** A state is final if nobody has changed these objects for this long. */
const CALM_MS = 60_000;

/** The history of each StatefulSet of the scenario: a set that was created again is the same. */
const each = perHistory((history): readonly StatefulSetHistory[] => {
  const { scenario, restedMs, endMs } = history;
  return scenario.workloads
    .filter(({ kind }) => kind === 'stateful-set')
    .map(({ name }) =>
      historyOf(runOf(history), {
        ...recordedOf(history, PROCESS),
        set: name,
        restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
        due: [],
        leftMs: endMs,
      }),
    );
});

/** The end of each StatefulSet, if nothing has happened to it for a while. */
const atEnd = (history: ClusterHistory): readonly StatefulSetHistory[] => {
  if (!isCalm(history, [statefulSets, pods] as readonly Resource[], CALM_MS)) return [];
  return each(history).flatMap((one) => {
    const set = history.left(statefulSets).find(({ metadata }) => metadata.name === one.set);
    if (!set) return [];
    const due = obligations({
      set,
      pods: history.left(pods).filter(selectedBy(set)),
      revisions: history.left(controllerRevisions),
      nowMs: history.epochMs + history.endMs,
    });
    return [{ ...one, due, restedMs: undefined }];
  });
};

const { ordered, downwards, updates, gentle, claims, identity, mindsItsOwn, atRest, quiet } = laws;

/** The laws of StatefulSets, in a whole cluster. */
export const statefulSetInCluster: KataInCluster = {
  kata: '27-stateful-set',
  laws: {
    ...adapted({ ordered, downwards, updates, gentle, claims, identity, mindsItsOwn, quiet }, each),
    ...adapted({ atRest }, atEnd),
  },
  leftOut: {},
};
