import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { AdmissionHistory } from '../history.ts';
import type { LawName } from '../oracle/findings.ts';
import { readingOf } from '../oracle/reading.ts';

/** @param situation - the situation of the law, for the message "No scenario led to …" */
function law(name: LawName, situation: string): Law<AdmissionHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name) },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/** Safety. A refused request writes nothing, and no quota counts it, unless others compete for its place. */
export const noTrace = law('noTrace', 'a request that was refused');

/** Safety. A dry run writes nothing, and calls no webhook with side effects. */
export const dryRun = law('dryRun', 'a dry run');

/** Liveness. Each request ends, with an object or a Status. */
export const answers = law('answers', 'a request that ended');

/** Liveness. A request that no plugin and no webhook has a reason to refuse is admitted. */
export const admits = law('admits', 'a request that nothing refuses');

/** Safety. New objects come only into namespaces that exist and are not being terminated. */
export const namespaces = law('namespaces', 'a create in a namespace that is missing or being terminated');

/** Safety. A pod gets its priority, its account with the token, its tolerations and its limits, or is refused. */
export const completes = law('completes', 'a new pod');

/** Safety. Plugins keep the values that the client has given, and change no stored object in place. */
export const keeps = law('keeps', 'a new pod');

/** Safety. The plugins change nothing if they run again. */
export const idempotent = law('idempotent', 'an object that was admitted twice');

/** Safety. No object outside the limits of its namespace is accepted. */
export const withinLimits = law('withinLimits', 'an object outside the limits of its namespace');

/** Safety. At most one PriorityClass becomes the default. */
export const oneDefault = law('oneDefault', 'a second default PriorityClass');

/** Safety and liveness. A webhook is called if and only if it matches. */
export const called = law('called', 'a webhook that matches');

/** Safety. Mutating webhooks are called one after the other, and each sees the result of the one before. */
export const inTurn = law('inTurn', 'two mutating webhooks that match');

/** Safety and liveness. A webhook is called again at most once, if it wants to and the object has changed since. */
export const reinvoked = law('reinvoked', 'a webhook that must be called again');

/** Liveness. All validating webhooks that match are called at the same time, and the request waits for all of them. */
export const allAsked = law('allAsked', 'two validating webhooks that match');

/** Safety. Validating webhooks see the object that will be stored. */
export const final = law('final', 'a validating webhook that matches');

/** Safety. A review says everything about its request. */
export const reviews = law('reviews', 'a review');

/** Safety. A refusal counts, whatever the failure policy, and has a code of at least 400. */
export const refusals = law('refusals', 'a webhook that denied a request');

/** Safety. If a webhook fails, its failure policy decides, and the audit log names it if the request goes on. */
export const policy = law('policy', 'a webhook that failed');

/**
 * Safety and liveness. A webhook has exactly its time limit, and no longer than the request. No call begins after the end of
 * its request.
 */
export const onTime = law('onTime', 'a webhook that did not answer in time');

/** Liveness. The warnings of webhooks reach the client, and their annotations the audit log, also with a refusal. */
export const warns = law('warns', 'an answer with a warning');

/** Safety. No more is stored than a quota allows. */
export const withinQuota = law('withinQuota', 'an object that a quota counts');

/** Safety. A quota never counts less than is stored. */
export const counted = law('counted', 'an object that a quota counts');

/** Safety and liveness. A request is charged exactly once, with at most four tries, and if and only if everything else accepts it. */
export const charged = law('charged', 'a request that a quota charges');

/** ★ Safety. A pod that its namespace forbids is refused; its warnings and its entry in the audit log are exact. */
export const podSecurity = law('podSecurity', 'a pod that the standard of its namespace forbids');

/** ★ Safety. A kubelet changes only its own node and the pods on it. */
export const nodes = law('nodes', "a kubelet's request that it may not send");
