import type { EndpointSlice, Endpoints } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import type { EndpointsHistory } from './history.ts';
import { ENDPOINTS, SLICES } from './operations.ts';

/** Liveness: eventually the slices of each Service describe each of its pods once and correctly, and nothing else. */
export const exact: Law<EndpointsHistory> = ({ restedMs, left }) =>
  restedMs !== undefined
    ? []
    : left.slices.map(({ message, of }) => ({ atMs: left.atMs, message, object: of }));

/** Liveness: eventually the Endpoints of each Service do, too, and there are no Endpoints without a Service. */
export const endpointsExact: Law<EndpointsHistory> = ({ restedMs, left }) =>
  restedMs !== undefined
    ? []
    : left.endpoints.map(({ message, of }) => ({ atMs: left.atMs, message, object: of }));

/** Safety: no slice ever exceeds its limit, or has one endpoint twice. */
export const bounded: Law<EndpointsHistory> = (history) =>
  sliceWrites(history).flatMap((entry) => {
    const endpoints = entry.object.endpoints ?? [];
    const keys = endpoints.map(({ addresses, targetRef }) => `${targetRef?.name} at ${addresses.join()}`);
    const twice = keys.find((key, i) => keys.indexOf(key) < i);
    return [
      ...(endpoints.length > history.endpointsMax
        ? [violation(entry, `holds ${endpoints.length} endpoints`)]
        : []),
      ...(twice === undefined ? [] : [violation(entry, `holds ${twice} twice`)]),
    ];
  });

/**
 * Safety: the written state of a pod was true at some time since the controller's last observation: its address,
 * serving and terminating.
 */
export const truthful: Law<EndpointsHistory> = (history) =>
  sliceWrites(history).flatMap((entry) => {
    const observed = history.observedAt(entry.atMs).pods;
    return (entry.object.endpoints ?? []).flatMap(({ addresses, conditions, targetRef }) => {
      const states = history.pods.of(targetRef?.uid)?.statesBetween(observed, entry.revision) ?? [];
      const isTrue = states.some(
        (pod) =>
          addresses[0] === pod.status.podIP &&
          !['Succeeded', 'Failed'].includes(pod.status.phase ?? '') &&
          conditions?.serving === isReady(pod) &&
          conditions.terminating === (pod.metadata.deletionTimestamp !== undefined),
      );
      return isTrue
        ? []
        : [
            violation(
              entry,
              `reports a state of ${targetRef?.name} that was not true since the last observation`,
            ),
          ];
    });
  });

/** Safety: a write changes the contents of a slice, not only the time of the last change. */
export const meaningful: Law<EndpointsHistory> = (history) =>
  [...sliceWrites(history), ...endpointsWrites(history)].flatMap((entry) => {
    if (entry.type !== 'MODIFIED' || !entry.previous) return [];
    return said(entry.object) === said(entry.previous)
      ? [violation(entry, 'is written without a change')]
      : [];
  });

/** Liveness: at rest nothing is written, not even by a controller that restarts. */
export const quiet: Law<EndpointsHistory> = ({ restedMs, journal, epilogue }) => {
  if (restedMs === undefined) return [];
  const until = epilogue?.fromMs ?? Number.POSITIVE_INFINITY;
  return journal
    .filter(
      ({ actor, resource, atMs }) =>
        isAboutEndpoints(resource.plural, actor) && atMs > restedMs + LATE_MS && atMs < until,
    )
    .map((entry) => violation(entry, 'is written, although everything was correct'));
};

/** Requests from before the rest may still be in flight. */
const LATE_MS = 5_000;

/**
 * Liveness: when one pod changes, each of its Services needs one write of one slice, and at most one of its
 * Endpoints.
 */
export const sparing: Law<EndpointsHistory> = lawAbout(
  { name: 'a pod that changed in the quiescent state', isMet: ({ epilogue }) => epilogue !== undefined },
  ({ epilogue, journal }) => {
    if (!epilogue) return [];
    const since = journal.filter(
      ({ atMs, actor, resource }) => atMs >= epilogue.fromMs && isAboutEndpoints(resource.plural, actor),
    );
    return (['endpointslices', 'endpoints'] as const).flatMap((plural): Violation[] => {
      const writes = since.filter(({ resource }) => resource.plural === plural);
      if (writes.length <= epilogue.services) return [];
      const message = `${writes.length} writes of ${plural} for one change of ${epilogue.pod}, an endpoint of ${epilogue.services} Services`;
      return [{ atMs: epilogue.fromMs, message, object: epilogue.pod }];
    });
  },
);

function sliceWrites({ journal }: EndpointsHistory): readonly JournalEntry<EndpointSlice>[] {
  return journal.filter(
    ({ actor, resource, type }) =>
      actor === SLICES && resource.plural === 'endpointslices' && type !== 'DELETED',
  ) as readonly JournalEntry[] as readonly JournalEntry<EndpointSlice>[];
}

function endpointsWrites({ journal }: EndpointsHistory): readonly JournalEntry<Endpoints>[] {
  return journal.filter(
    ({ actor, resource, type }) =>
      actor === ENDPOINTS && resource.plural === 'endpoints' && type !== 'DELETED',
  ) as readonly JournalEntry[] as readonly JournalEntry<Endpoints>[];
}

function isAboutEndpoints(plural: string, actor: string): boolean {
  return (plural === 'endpointslices' && actor === SLICES) || (plural === 'endpoints' && actor === ENDPOINTS);
}

/** Returns the contents of an object without the time of the change. */
function said(object: EndpointSlice | Endpoints): string {
  const { metadata, ...content } = object;
  return JSON.stringify([metadata.labels, content]);
}

function violation({ atMs, object }: Pick<JournalEntry, 'atMs' | 'object'>, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${object.kind} ${name} ${what}`, object: name };
}
