import type { EndpointSlice, KubeObject } from '../../api/objects.ts';
import { endpointSlices, endpoints, services } from '../../api/resource.ts';
import { type JournalEntry, momentsOf } from '../../cluster/journal.ts';
import { SLICE } from '../../contracts/slice-labels.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { isMirrored, sourceOf, wanted } from './oracle.ts';
import { PROCESS } from './scenario.ts';
import type { MirroringHistory } from './simulation.ts';

/** Liveness: in the end the slices have exactly the addresses, labels, annotations and owner of their Endpoints. */
export const mirrors: Law<MirroringHistory> = lawAbout(
  {
    name: 'a mirrored slice',
    isMet: ({ journal }) => journal.some(({ actor, type }) => actor === PROCESS && type === 'ADDED'),
  },
  ({ restedMs, owed, leftMs }) =>
    restedMs !== undefined
      ? []
      : owed.map((due) => ({ atMs: leftMs, message: `the controller has still to ${due}`, object: due })),
);

/** Safety: the controller writes only slices that it manages. */
export const itsOwn: Law<MirroringHistory> = ({ journal }) =>
  journal.flatMap((entry): Violation[] => {
    if (entry.actor !== PROCESS || entry.resource.plural === 'events') return [];
    const isOwn = [entry.previous ?? entry.object, entry.object].every((each) => isManaged(entry, each));
    return isOwn ? [] : [violation(entry, 'is written, although the controller does not manage it')];
  });

const isManaged = ({ resource }: JournalEntry, object: KubeObject): boolean =>
  resource.plural === endpointSlices.plural && isMirrored(object as EndpointSlice);

/** Safety: while Endpoints are mirrored, the controller does not delete their last slice. */
export const noGap: Law<MirroringHistory> = lawAbout(
  {
    name: 'a slice that was deleted',
    isMet: ({ journal }) => journal.some(({ actor, type }) => actor === PROCESS && type === 'DELETED'),
  },
  ({ journal }) => {
    const violations: Violation[] = [];
    const changedMs = new Map<string, number>();
    for (const { entry, objects } of momentsOf(journal)) {
      const { name } = entry.object.metadata;
      if (entry.resource.plural !== endpointSlices.plural) changedMs.set(name, entry.atMs);
      if (entry.actor !== PROCESS || entry.type !== 'DELETED') continue;
      const service = entry.object.metadata.labels?.[SLICE.service] ?? '';
      const slices = [...objects(endpointSlices).values()];
      const snapshot = {
        services: [...objects(services).values()],
        endpoints: [...objects(endpoints).values()],
        slices,
      };
      const source = sourceOf(service, snapshot);
      const isRecent = entry.atMs - (changedMs.get(service) ?? 0) < LATE_MS;
      const isLeft = slices.some(
        (slice) => isMirrored(slice) && slice.metadata.labels?.[SLICE.service] === service,
      );
      if (isRecent || isLeft || !source || wanted(source).length === 0) continue;
      violations.push(violation(entry, `is deleted as the last slice of ${service}, which has addresses`));
    }
    return violations;
  },
);

/** Safety: a Service never gets a second slice with the same ports and the same family. */
export const neverTwice: Law<MirroringHistory> = ({ journal }) => {
  const violations: Violation[] = [];
  for (const { entry, objects } of momentsOf(journal)) {
    if (entry.actor !== PROCESS || entry.type !== 'ADDED' || !isManaged(entry, entry.object)) continue;
    const kind = kindOf(entry.object as EndpointSlice);
    const all = [...objects(endpointSlices).values()].filter(
      (each) => isMirrored(each) && kindOf(each) === kind,
    );
    if (all.length > 1) violations.push(violation(entry, `is the second slice for ${kind}`));
  }
  return violations;
};

function kindOf({ addressType, ports, metadata }: EndpointSlice): string {
  const numbers = (ports ?? []).map(({ port }) => port).toSorted();
  return `${metadata.labels?.[SLICE.service]} ${addressType} ${numbers.join()}`.trim();
}

/** Liveness: when the slices mirror their Endpoints, no write is sent, not even by a controller that restarts. */
export const quiet: Law<MirroringHistory> = ({ requests, restedMs = Number.POSITIVE_INFINITY }) =>
  requests
    .filter(({ verb, sentMs }) => WRITES.has(verb) && sentMs > restedMs + LATE_MS)
    .map(({ verb, sentMs, name = '' }) => ({
      atMs: sentMs,
      message: `${verb} ${name} is sent, although everything was correct`,
      object: name,
    }));

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'delete', 'patch']);

/** Requests from before the rest may still be in flight, and caches may be behind. */
const LATE_MS = 3_000;

function violation({ atMs, resource, key }: JournalEntry, what: string): Violation {
  return { atMs, message: `${resource.plural}/${key} ${what}`, object: key };
}
