import type { KubeObject, List, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { namespaces, pods, type Resource } from '../../../api/resource.ts';
import { type JournalEntry, momentsOf } from '../../../cluster/journal.ts';
import { targetOf } from '../../../contracts/request.ts';
import { type Law, lawAbout, type Violation } from '../../../testing/holds.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import { CONTENT } from '../environment.ts';
import { PROCESS } from '../scenario.ts';
import type { NamespaceHistory } from '../simulation.ts';

const GRACE_MS = 5_000;

/** Safety: when a namespace disappears, none of its objects is stored. */
export const outlived: Law<NamespaceHistory> = lawAbout(
  { name: 'a namespace that disappeared', isMet: (history) => disappearances(history).length > 0 },
  ({ journal }) => {
    const violations: Violation[] = [];
    for (const { entry, objects } of momentsOf(journal)) {
      if (!isOf(entry, namespaces) || entry.type !== 'DELETED') continue;
      for (const resource of Object.values(CONTENT)) {
        for (const { metadata } of objects(resource).values()) {
          if (metadata.namespace !== entry.key) continue;
          violations.push(violation(entry, `disappears before ${resource.plural}/${metadata.name}`));
        }
      }
    }
    return violations;
  },
);

/**
 * Safety: the controller deletes nothing else while a pod is stored, and not before it has seen that no pod is left.
 */
export const podsFirst: Law<NamespaceHistory> = lawAbout(
  {
    name: 'an object that was deleted together with its namespace',
    isMet: ({ requests }) => requests.some((each) => isDeletion(each) && each.resource !== 'pods'),
  },
  ({ journal, requests }) => [
    ...beforePods(journal),
    ...requests.flatMap((each, i) => blindly(requests, each, i)),
  ],
);

/** Returns the deletions of other objects while pods were stored. */
function beforePods(journal: readonly JournalEntry[]): readonly Violation[] {
  const violations: Violation[] = [];
  for (const { entry, objects } of momentsOf(journal)) {
    const { namespace } = entry.object.metadata;
    if (entry.actor !== PROCESS || !isContent(entry) || entry.resource.plural === 'pods') continue;
    const left = [...objects(pods).values()].find(({ metadata }) => metadata.namespace === namespace);
    if (left) violations.push(violation(entry, `is deleted before pod ${left.metadata.name}`));
  }
  return violations;
}

/** Returns the violation of a deletion that no empty list of pods precedes. */
function blindly(
  requests: readonly RecordedRequest[],
  request: RecordedRequest,
  i: number,
): readonly Violation[] {
  if (!isDeletion(request) || request.resource === 'pods') return [];
  const { namespace } = targetOf(request.request);
  const last = requests
    .slice(0, i)
    .findLast(
      ({ resource, request: each, incarnation }) =>
        resource === 'pods' && incarnation === request.incarnation && targetOf(each).namespace === namespace,
    );
  const isAnswered = (last?.answeredAs ?? Number.POSITIVE_INFINITY) < request.sentAs;
  const isEmpty =
    last?.verb === 'list' && isAnswered && (last.answer as List<KubeObject> | undefined)?.items.length === 0;
  if (isEmpty) return [];
  const message = `${request.resource} of ${namespace} are deleted, but no list has shown that no pod is left`;
  return [{ atMs: request.sentMs, message, object: namespace ?? '' }];
}

/** Safety: objects are deleted only in namespaces that are deleted. */
export const onlyDeleted: Law<NamespaceHistory> = ({ journal, requests }) => {
  const writes = journal.filter((entry) => isOf(entry, namespaces));
  return requests.filter(isDeletion).flatMap((request): Violation[] => {
    const { namespace = '' } = targetOf(request.request);
    const last = writes.findLast(({ key, atMs }) => key === namespace && atMs <= request.sentMs);
    if (!last || last.type === 'DELETED' || last.object.metadata.deletionTimestamp) return [];
    const message = `${request.resource} of ${namespace} are deleted, but the namespace is not`;
    return [{ atMs: request.sentMs, message, object: namespace }];
  });
};

/** Safety: the controller removes only its own finalizer, and none of the content. */
export const ownFinalizer: Law<NamespaceHistory> = (history) =>
  byController(history).flatMap((entry): Violation[] => {
    if (isOf(entry, namespaces)) {
      const left = entry.type === 'DELETED' ? [] : entry.object.spec.finalizers;
      return missing(entry.previous?.spec.finalizers, left)
        .filter((each) => each !== 'kubernetes')
        .map((each) => violation(entry, `loses the finalizer ${each} of another controller`));
    }
    const removed = missing(entry.previous?.metadata.finalizers, entry.object.metadata.finalizers);
    return removed.map((each) => violation(entry, `loses its finalizer ${each}`));
  });

/** Safety: a running pod keeps its own grace period. */
export const graceful: Law<NamespaceHistory> = lawAbout(
  {
    name: 'a running pod in a namespace that is deleted',
    isMet: (history) => byController(history).some((entry) => isOf(entry, pods) && isRunning(entry)),
  },
  (history) =>
    byController(history).flatMap((entry): Violation[] => {
      if (!isOf(entry, pods) || !isRunning(entry)) return [];
      const { terminationGracePeriodSeconds } = entry.previous?.spec ?? {};
      const { deletionGracePeriodSeconds } = entry.object.metadata;
      if (entry.type === 'MODIFIED' && deletionGracePeriodSeconds === terminationGracePeriodSeconds)
        return [];
      return [violation(entry, `is stopped without its grace period of ${terminationGracePeriodSeconds} s`)];
    }),
);

/** Safety: the first deletion comes five seconds after that of the namespace: other apiservers know of it by then. */
export const waits: Law<NamespaceHistory> = ({ journal, requests }) => {
  const deletions = journal.filter(
    (entry) =>
      isOf(entry, namespaces) &&
      entry.object.metadata.deletionTimestamp &&
      !entry.previous?.metadata.deletionTimestamp,
  );
  return requests.filter(isDeletion).flatMap((request): Violation[] => {
    const { namespace = '' } = targetOf(request.request);
    const deleted = deletions.findLast(({ key, atMs }) => key === namespace && atMs <= request.sentMs);
    if (!deleted || request.sentMs - deleted.atMs >= GRACE_MS) return [];
    const afterMs = request.sentMs - deleted.atMs;
    const message = `${request.resource} are deleted ${afterMs} ms after the namespace, and ${GRACE_MS} ms must pass`;
    return [{ atMs: request.sentMs, message, object: namespace }];
  });
};

/** Safety: the time of a condition changes exactly with its status. */
export const timed: Law<NamespaceHistory> = ({ epochMs, ...history }) =>
  byController(history).flatMap((entry): Violation[] => {
    if (!isOf(entry, namespaces)) return [];
    const before = entry.previous?.status.conditions ?? [];
    return (entry.object.status.conditions ?? []).flatMap(({ type, status, lastTransitionTime }) => {
      const old = before.find((each) => each.type === type);
      const isKept = old?.lastTransitionTime === lastTransitionTime;
      const ageMs = epochMs + entry.atMs - Date.parse(lastTransitionTime ?? '');
      if (old?.status === status ? isKept : ageMs < LATE_MS) return [];
      return [violation(entry, `has the condition ${type}=${status} with the time ${lastTransitionTime}`)];
    });
  });

/** The longest time between a decision and its write, without the rest of the second. */
const LATE_MS = 3_000;

function isOf<T extends KubeObject>(
  entry: JournalEntry,
  resource: Resource<T>,
): entry is JournalEntry<T> & JournalEntry {
  return entry.resource.plural === resource.plural;
}

const isContent = ({ resource }: JournalEntry): boolean => Object.hasOwn(CONTENT, resource.plural);

const isDeletion = ({ verb }: RecordedRequest): boolean => verb === 'delete' || verb === 'deleteCollection';

const byController = ({ journal }: Pick<NamespaceHistory, 'journal'>): readonly JournalEntry[] =>
  journal.filter(({ actor }) => actor === PROCESS);

const disappearances = ({ journal }: NamespaceHistory): readonly JournalEntry[] =>
  journal.filter((entry) => isOf(entry, namespaces) && entry.type === 'DELETED');

/** Returns whether a kubelet has to stop the pod. */
function isRunning({ previous }: JournalEntry<Pod>): boolean {
  return previous?.spec.nodeName !== undefined && !hasEnded(previous);
}

const missing = (before: readonly string[] = [], after: readonly string[] = []): readonly string[] =>
  before.filter((each) => !after.includes(each));

function violation({ atMs, resource, key }: JournalEntry, what: string): Violation {
  return { atMs, message: `${resource.plural}/${key} ${what}`, object: key };
}
