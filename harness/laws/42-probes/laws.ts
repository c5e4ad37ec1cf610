import { type Law, lawAbout } from '../../testing/holds.ts';
import type { ProbesHistory } from './history.ts';
import { type LawName, readingOf } from './oracle/reading.ts';

/**
 * @param situation - completes "There was never …" in the message about a law without a situation
 * @param others - laws whose violations also violate this one: on its workloads they can have no other reason
 */
function law(name: LawName, situation: string, others: readonly LawName[] = []): Law<ProbesHistory> {
  return lawAbout({ name: situation, isMet: (history) => readingOf(history).met.has(name) }, (history) =>
    [name, ...others].flatMap((one) => readingOf(history).violations.get(one) ?? []),
  );
}

/**
 * Liveness and safety. Each probe runs exactly when its tick is due, and at no other time.
 *
 * One oracle finds the violations of all laws. It follows each worker from its start to its end: hypothesis.ts computes
 * the effect of a tick, worker-judge.ts the expected calls.
 */
export const punctual = law('punctual', 'a probe');

/** Safety and liveness. A probe starts only after the one before it has ended; one tick replaces all ticks missed meanwhile. */
export const oneAtATime = law('oneAtATime', 'a tick that was due during a probe');

/** Safety and liveness. No probe runs before its initial delay, counted from the start of each container. */
export const initialDelay = law('initialDelay', 'a tick before the initial delay was over');

/** Safety and liveness. Until a container has started, only its startup probe runs; after that, all others run. */
export const startupFirst = law('startupFirst', 'a tick that had to wait for the startup of a container');

/** Liveness and safety. A result changes after as many equal answers in a row as its threshold, and not before. */
export const counts = law('counts', 'a result that took several answers');

/** Safety. After a stored liveness failure or startup result, the probe waits for the next container. */
export const onHold = law('onHold', 'a worker that went on hold');

/** Liveness. Before the first answer, a container is alive, is not ready, and its startup is undecided. */
export const initialResults = law('initialResults', 'a container that was probed');

/** Liveness. A restarted container begins with the initial results; the results of the old container are deleted. */
export const resets = law('resets', 'a restarted container');

/** Liveness. A container that does not run gets `Failure` and no probe. */
export const notRunning = law('notRunning', 'a container that ended');

/** Liveness. `updatePodStatus` triggers the readiness probe of a started container that is not ready. */
export const prompt = law('prompt', 'a status that was made while a container was not ready');

/** Safety. `onUpdate` is called once for each change of a result. */
export const notifies = law('notifies', 'a call of onUpdate');

/** A container has started when its startup probe has succeeded; without a startup probe, as soon as it runs. */
export const started = law('started', 'a status of a container with a startup probe');

/** A container is ready when it has started and its readiness probe has succeeded; without one, as soon as it has started. */
export const ready = law('ready', 'a status of a running container with a readiness probe');

/** Safety and liveness. In a terminating pod, liveness and startup probes stop, and readiness probes go on. */
export const termination = law('termination', 'a terminating pod');

/** Safety. After a pod is removed, or its kubelet has stopped, its probes stop and its results are deleted. */
export const quiet = law('quiet', 'a pod that was removed');

/** Each call has the host, port, path, headers and command of the pod spec. */
export const rightTarget = law('rightTarget', 'a call');

/** Each call has the timeout of the pod spec. */
export const timeouts = law('timeouts', 'a call');

/** Liveness. A probe that ends in an error is tried three times at once, and does not count. */
export const retries = law('retries', 'a command that could not be run');

/** Each failure, warning and error has exactly one event, with Kubernetes' message. */
export const emitsEvents = law('emitsEvents', 'a probe that failed');

/** In the end, no timer and no result is left. */
export const cleansUp = law('cleansUp', 'an end');

/** ★ Liveness. A redirect within the host is followed, within the timeout of one probe; one to another host is a warning. */
export const redirects = law('redirects', 'a redirect', ['counts', 'emitsEvents', 'timeouts']);

/** ★ A gRPC probe checks the health of its service. */
export const grpcHealth = law('grpcHealth', 'a gRPC probe', ['counts', 'emitsEvents', 'timeouts']);

/** ★ Liveness. Each worker of a young kubelet starts at a random time within its first period, and then keeps its period. */
export const spreads = law('spreads', 'a probe that began while its kubelet was young');

/** ★ Safety. A ready container stays ready when its kubelet restarts, until its probe reaches its failureThreshold. */
export const staysReady = law('staysReady', 'a container that was older than its kubelet', [
  'initialResults',
  'counts',
  'onHold',
  'resets',
  'notRunning',
  'ready',
  'started',
  'notifies',
  'prompt',
]);
