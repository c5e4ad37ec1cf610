import { pods, replicaSets } from '../../../api/resource.ts';
import { entriesOf } from '../../../cluster/journal.ts';
import type { TraceEntry } from '../../../sim/index.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { Observations } from '../../../testing/rig/observations.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { Recorded } from '../../../testing/rig/recorded.ts';
import { PROCESS } from '../operations.ts';
import type { ReplicaSetHistory } from './index.ts';

/** The end of a run. */
type End = Pick<ReplicaSetHistory, 'isVersionless' | 'healedMs' | 'restedMs' | 'left' | 'leftMs'>;

/** Returns the history of the controller, from a simulation of this kata or from a whole cluster. */
export function historyOf(
  run: ClusterRun,
  { trace, recorder, latencyMs, ...end }: Recorded & End,
): ReplicaSetHistory {
  const observations = new Observations({
    process: PROCESS,
    resources: ['pods', 'replicasets'],
    latencyMs,
  }).read(trace);
  return {
    ...run,
    pods: new ObjectHistories(entriesOf(run.journal, pods)),
    sets: new ObjectHistories(entriesOf(run.journal, replicaSets)),
    requests: recorder.requests,
    knowledge: {
      at: (atMs) => {
        const sinceMs = recorder.sinceMs(atMs);
        return { ...observations.at(sinceMs), sinceMs };
      },
      byThen: (atMs) => observations.at(atMs + 1),
      heard: (fromMs, toMs) => observations.heard(fromMs, toMs),
    },
    relistedMs: trace.filter(mayRelistAfter).map(({ atMs }) => atMs),
    ...end,
  };
}

/** Tests whether the pod informer may relist after this entry. In a trace a streaming list looks like any watch. */
function mayRelistAfter({ actor, verb, object, outcome }: TraceEntry): boolean {
  if (actor !== PROCESS || object !== 'pods') return false;
  return verb === 'ERROR' || (verb === 'watch' && outcome !== 'ok');
}
