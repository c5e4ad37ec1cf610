import { jobs } from '../../../api/plain-resources.ts';
import { entriesOf } from '../../../cluster/journal.ts';
import * as laws from '../../67-ttl-after-finished/laws.ts';
import { PROCESS } from '../../67-ttl-after-finished/scenario.ts';
import type { TtlHistory } from '../../67-ttl-after-finished/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, perHistory, recordedOf, runOf } from './adapted.ts';
import type { KataInCluster } from './kata.ts';

/** The time after the last fault in which the controller recovers. */
const RECOVER_MS = 70_000;
/** The time after the rest of the whole cluster until the controller has stopped. */
const LATE_MS = 30_000;

const prepared = perHistory((history): TtlHistory => {
  const { healedMs, restedMs, endMs, struck } = history;
  return {
    ...runOf(history),
    jobs: entriesOf(history.journal, jobs),
    requests: recordedOf(history, PROCESS).recorder.requests,
    steadyMs: struck.length === 0 ? 0 : healedMs + RECOVER_MS,
    restedMs: restedMs === undefined ? undefined : restedMs + LATE_MS,
    leftMs: endMs,
    left: history.left(jobs),
  };
});

const whole = (history: ClusterHistory): readonly TtlHistory[] => [prepared(history)];

const { neverEarly, gentle, onTime, quiet } = laws;

/** The laws of Jobs that expire, in a whole cluster. */
export const ttlInCluster: KataInCluster = {
  kata: '67-ttl-after-finished',
  laws: adapted({ neverEarly, gentle, onTime, quiet }, whole),
  leftOut: {},
};
