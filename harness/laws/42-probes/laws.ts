import { type Law, lawAbout } from '../../testing/holds.ts';
import type { ProbesHistory } from './history.ts';
import { type LawName, readingOf } from './reading.ts';

/**
 * @param situation what the law speaks of: "There was never …"
 * @param others laws whose violations are violations of this one, too: on its workloads nothing else can be the reason
 */
function law(name: LawName, situation: string, others: readonly LawName[] = []): Law<ProbesHistory> {
  return lawAbout({ name: situation, isMet: (history) => readingOf(history).met.has(name) }, (history) =>
    [name, ...others].flatMap((one) => readingOf(history).violations.get(one) ?? []),
  );
}

/**
 * Owed, and safety. Each probe is made when its tick is due, to the millisecond, and at no other time.
 *
 * The laws of probes. All are read off one oracle, which follows each worker through its life: guess.ts says what a tick comes
 * to, worker-judge.ts what is owed.
 */
export const punctual = law('punctual', 'a probe');

/** Safety, and owed. No probe begins while one before it is under way; what fell due meanwhile is made up for once. */
export const oneAtATime = law('oneAtATime', 'a tick that was due while a probe was under way');

/** Safety, and owed. No probe comes before its initial delay, counted from the start of each container. */
export const delayed = law('delayed', 'a tick before the initial delay was over');

/** Safety, and owed. Before a container has started only its startup probe is made, and after that all others are. */
export const startupFirst = law('startupFirst', 'a tick that had to wait for the startup of a container');

/** Owed, and safety. A result changes when as many answers in a row say so as the threshold wants, and not before. */
export const counts = law('counts', 'a result that took several answers');

/** Safety. Once a container is to be killed, or has started, that probe is not made again. */
export const decided = law('decided', 'a result after which there is no more to ask');

/** Owed. Before the first answer a container is not ready, is alive, and has neither started nor failed to. */
export const begins = law('begins', 'a container that was probed');

/** Owed. A container that was started anew begins anew: what was known of the one before is forgotten. */
export const fresh = law('fresh', 'a container that was started anew');

/** Owed. A container that does not run fails, and is not asked. */
export const gone = law('gone', 'a container that ended');

/** Owed. A container that is not ready when its status is made is asked at once. */
export const prompt = law('prompt', 'a status that was made while a container was not ready');

/** Safety. Each change of a result is told, once. */
export const tells = law('tells', 'a result that was told');

/** A container has started when its startup probe says so; without one, as soon as it runs. */
export const started = law('started', 'a status of a container with a startup probe');

/** A container is ready when it has started and its readiness probe says so; without one, as soon as it has started. */
export const ready = law('ready', 'a status of a running container with a readiness probe');

/** Safety, and owed. When a pod is to end, liveness and startup probes stop; readiness probes go on. */
export const ends = law('ends', 'a pod that was to end');

/** Safety. After its removal nothing of a pod is asked, told or known; nor is anything after the end of the kubelet. */
export const quiet = law('quiet', 'a pod that was removed');

/** A probe asks where the pod's spec says, and for what. */
export const addressed = law('addressed', 'a call');

/** Each call has as much time as the pod's spec says. */
export const timeouts = law('timeouts', 'a call');

/** Owed. What could not be asked is tried three times at once, and counts for nothing. */
export const retries = law('retries', 'a command that could not be run');

/** Of each failure people are told, once, in Kubernetes' words. */
export const explains = law('explains', 'a probe that failed');

/** In the end nothing is left on the clock, and nothing is known. */
export const atRest = law('atRest', 'an end');

/** ★ Owed. A redirect within a host is followed, in the time of one probe; one that leads away is a success with a warning. */
export const redirects = law('redirects', 'a redirect', ['counts', 'explains', 'timeouts']);

/** ★ A gRPC service is asked for its health. */
export const health = law('health', 'a gRPC probe', ['counts', 'explains', 'timeouts']);

/** ★ Owed. While a kubelet is young, its probes begin at any time within their first period, and keep their period from then on. */
export const spreads = law('spreads', 'a probe that began while its kubelet was young');

/** ★ Safety. A container that was ready stays so when its kubelet is started again, until a probe says otherwise. */
export const steady = law('steady', 'a container that was older than its kubelet', [
  'begins',
  'counts',
  'decided',
  'fresh',
  'gone',
  'ready',
  'started',
  'tells',
]);
