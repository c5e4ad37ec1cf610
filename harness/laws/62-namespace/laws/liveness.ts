import type { NamespaceCondition } from '#api/core/v1';
import type { KubeObject, Namespace } from '../../../api/objects.ts';
import { namespaces } from '../../../api/resource.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { targetOf } from '../../../contracts/request.ts';
import { type Law, lawAbout, type Violation } from '../../../testing/holds.ts';
import { CONTENT } from '../environment.ts';
import type { NamespaceHistory } from '../simulation.ts';

/** Liveness: when the obstacles have ended, each deleted namespace disappears within minutes. */
export const gone: Law<NamespaceHistory> = lawAbout(
  { name: 'a namespace that was deleted', isMet: ({ journal }) => journal.some(isDeletion) },
  ({ restedMs, left, leftMs }) =>
    restedMs !== undefined
      ? []
      : left.map((name) => ({
          atMs: leftMs,
          message: `namespaces/${name} still exists, although nothing holds it any more`,
          object: name,
        })),
);

/** Liveness: an obstacle stops only the objects that it concerns. All others are deleted. */
export const goesOn: Law<NamespaceHistory> = lawAbout(
  {
    name: 'an obstacle that stopped the deletion of a namespace',
    isMet: ({ blocked }) => deletedIn(blocked).length > 0,
  },
  ({ blocked }) =>
    deletedIn(blocked).flatMap((namespace) =>
      contentOf(namespace, blocked).flatMap((object): Violation[] => {
        if (isExcused(object, namespace, blocked)) return [];
        const { atMs } = blocked;
        const name = `${object.kind} ${object.metadata.name}`;
        const message = `${name} is not deleted, although nothing holds it and no pod is left`;
        return [{ atMs, message, object: namespace.metadata.name }];
      }),
    ),
);

/** Liveness: the conditions of a namespace report the obstacles of its deletion, and nothing else. */
export const truthful: Law<NamespaceHistory> = lawAbout(
  {
    name: 'an obstacle that stopped the deletion of a namespace',
    isMet: ({ blocked }) => deletedIn(blocked).length > 0,
  },
  ({ blocked }) =>
    deletedIn(blocked).flatMap((namespace) => {
      if (!isWaiting(namespace)) return [];
      const { name } = namespace.metadata;
      const found = namespace.status.conditions ?? [];
      return expectedConditions(namespace, blocked).flatMap(({ type, status, text }): Violation[] => {
        const condition = found.find((each) => each.type === type);
        if (condition?.status === status && (condition.message ?? '').includes(text)) return [];
        const expected = `${status}${text && `: ${text}`}`;
        const message = `namespaces/${name} has the condition ${type}=${said(condition)}, and not ${expected}`;
        return [{ atMs: blocked.atMs, message, object: name }];
      });
    }),
);

const said = (condition: NamespaceCondition | undefined): string =>
  condition ? `${condition.status}: ${condition.message}` : 'absent';

interface Expected {
  readonly type: string;
  readonly status: 'True' | 'False';
  /** A part of the message. */
  readonly text: string;
}

/** Returns the conditions that the obstacles and the remaining content require. */
function expectedConditions(namespace: Namespace, blocked: NamespaceHistory['blocked']): readonly Expected[] {
  const { hidden, unserved } = blocked;
  const all = contentOf(namespace, blocked);
  const left = all.some(isPod) ? all.filter(isPod) : all;
  const isBlind = unserved === 'pods';
  const visible = left.filter(
    (object) => !isHidden(object, blocked) && CONTENT_KIND[object.kind] !== unserved,
  );
  const counts = countBy(
    visible.map(({ kind, apiVersion }) => `${CONTENT_KIND[kind]}.${groupOf(apiVersion)}`),
  );
  const held = countBy(visible.flatMap(({ metadata }) => metadata.finalizers ?? []));
  const isStuck = visible.length > 0 && held.length === 0;
  const reachesUnserved =
    unserved === 'pods' || (unserved !== undefined && !all.some(isPod) && !isHiddenKind(unserved, hidden));
  const expect = (type: string, texts: readonly string[]): Expected => ({
    type,
    status: texts.length > 0 ? 'True' : 'False',
    text: texts.join(', '),
  });
  const isDiscovered = hidden === undefined;
  return [
    {
      ...expect('NamespaceDeletionDiscoveryFailure', isDiscovered ? [] : ['']),
      text: hidden === 'group' ? 'coordination.k8s.io' : '',
    },
    expect('NamespaceDeletionGroupVersionParsingFailure', []),
    { ...expect('NamespaceDeletionContentFailure', isStuck || reachesUnserved ? [''] : []) },
    expect(
      'NamespaceContentRemaining',
      isBlind ? [] : counts.map((each) => `${each.name} has ${each.count} resource instances`),
    ),
    expect(
      'NamespaceFinalizersRemaining',
      isBlind ? [] : held.map((each) => `${each.name} in ${each.count} resource instances`),
    ),
  ];
}

/** Liveness: the controller tries again after a pause, not all the time. */
export const calm: Law<NamespaceHistory> = ({ requests, healedMs, blocked }) =>
  deletedIn(blocked).flatMap(({ metadata: { name } }): Violation[] => {
    const attempts = requests.filter(
      ({ verb, resource, sentMs, request }) =>
        verb === 'get' &&
        resource === namespaces.plural &&
        targetOf(request).name === name &&
        sentMs >= healedMs &&
        sentMs < blocked.atMs,
    );
    if (attempts.length <= ATTEMPTS_MAX) return [];
    const seconds = Math.round((blocked.atMs - healedMs) / 1_000);
    const message = `the deletion of namespaces/${name} was attempted ${attempts.length} times in ${seconds} s`;
    return [{ atMs: blocked.atMs, message, object: name }];
  });

/**
 * A back-off from 5 ms to a minute needs 15 attempts, and a controller that waits for finalizers needs 19. A change of
 * the namespace can cause another.
 */
const ATTEMPTS_MAX = 45;

/** Liveness: when each deleted namespace has been gone for a while, the controller sends no request. */
export const quiet: Law<NamespaceHistory> = ({ requests, restedMs = Number.POSITIVE_INFINITY }) =>
  requests
    .filter(({ sentMs }) => sentMs > restedMs + LATE_MS)
    .map(({ sentMs, verb, resource, name = '' }) => ({
      atMs: sentMs,
      message: `${verb} ${resource} ${name} is sent, although each deleted namespace is gone`,
      object: name,
    }));

/** Longer than the longest time between two attempts: the last one finds that the namespace is gone. */
const LATE_MS = 70_000;

const isDeletion = ({ resource, object }: JournalEntry): boolean =>
  resource.plural === namespaces.plural && object.metadata.deletionTimestamp !== undefined;

const deletedIn = ({ namespaces: all }: NamespaceHistory['blocked']): readonly Namespace[] =>
  all.filter(({ metadata }) => metadata.deletionTimestamp);

/** Returns whether the controller still has to finalize the namespace. */
const isWaiting = ({ spec }: Namespace): boolean => spec.finalizers?.includes('kubernetes') ?? false;

const contentOf = (
  { metadata }: Namespace,
  { content }: NamespaceHistory['blocked'],
): readonly KubeObject[] => content.filter((object) => object.metadata.namespace === metadata.name);

const isPod = ({ kind }: KubeObject): boolean => kind === 'Pod';

/** The plurals of the content by kind. */
const CONTENT_KIND: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(CONTENT).map(({ kind, plural }) => [kind, plural]),
);

const isHiddenKind = (plural: string, hidden: 'group' | 'all' | undefined): boolean =>
  hidden === 'all' || (hidden === 'group' && plural === 'leases');

/** Pods are known without discovery. */
const isHidden = (object: KubeObject, { hidden }: NamespaceHistory['blocked']): boolean =>
  !isPod(object) && isHiddenKind(CONTENT_KIND[object.kind] ?? '', hidden);

/** Returns whether an obstacle explains that the object is stored. */
function isExcused(object: KubeObject, namespace: Namespace, blocked: NamespaceHistory['blocked']): boolean {
  const { metadata, kind } = object;
  const others = contentOf(namespace, blocked);
  const isBehindPods = !isPod(object) && (blocked.unserved === 'pods' || others.some(isPod));
  const isMarked = metadata.deletionTimestamp !== undefined;
  return (
    isBehindPods ||
    isHidden(object, blocked) ||
    CONTENT_KIND[kind] === blocked.unserved ||
    (isMarked && (isPod(object) || (metadata.finalizers ?? []).length > 0))
  );
}

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** Counts texts, in the order of the alphabet. */
function countBy(texts: readonly string[]): readonly { readonly name: string; readonly count: number }[] {
  return [...new Set(texts)]
    .map((name) => ({ name, count: texts.filter((each) => each === name).length }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
