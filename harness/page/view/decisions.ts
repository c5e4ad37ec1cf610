import type { Deployment, EndpointSlice } from '../../api/objects.ts';
import { deployments, endpointSlices } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Process } from '../../cluster/process.ts';
import { chronicle } from '../../drawing/chronicle/chronicle.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Decision } from '../protocol/details.ts';
import type { ActorNotes } from './actor-notes.ts';
import type { JournalIndex } from './journal-index.ts';
import type { Messages } from './messages.ts';
import { serviceOf } from './predicates.ts';
import { reasonForOldPods } from './rollout-reason.ts';

/** The number of decisions that are listed at most. */
const DECISIONS_MAX = 100;

type Entries = ReturnType<ActorNotes['of']>;

/** Dependencies of {@link decisionsOf}. */
interface DecisionsOptions {
  readonly cluster: Cluster;
  readonly index: JournalIndex;
  readonly messages: Messages;
  readonly zeroMs: number;
}

/**
 * Returns the acts of a component in the words of the chronicle, its calls to its node, and the decisions that it
 * explains, newest first.
 */
export function decisionsOf(
  { name, node }: Pick<Process, 'name' | 'node'>,
  entries: Entries,
  options: DecisionsOptions,
): readonly Decision[] {
  const explained = entries.notes
    .filter(({ verb, note = '' }) => verb === 'explain' && / (?:goes to|can run nowhere)/.test(note))
    .map(({ atMs, note = '' }) => ({ atMs, text: note }));
  return [...actsOf(name, options), ...callsOf(node, entries, options), ...explained]
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, DECISIONS_MAX)
    .map((each) => ({ ...each, atMs: each.atMs - options.zeroMs }));
}

function actsOf(name: string, { cluster, index, messages }: DecisionsOptions): readonly Decision[] {
  const writes = cluster.journal.entries.filter(({ actor }) => actor === name);
  return chronicle(writes.slice(-3 * DECISIONS_MAX), { windowMs: 0 }).map(({ atMs, what, revision }) => {
    const message = messages.ofRevision(revision);
    const text = `${what}${reasonOf(what, revision, index)}`;
    return { atMs, text, ...(message !== undefined && { message }) };
  });
}

/** Explains the old pods that the status of a Deployment counts. */
function reasonOf(what: string, revision: number, index: JournalIndex): string {
  if (!what.startsWith('updates the status of Deployment ')) return '';
  const write = index.at(revision);
  if (!write || !sameResource(write.resource, deployments)) return '';
  const reason = reasonForOldPods(write.object as Deployment);
  return reason === undefined ? '' : `; it ${reason}`;
}

function callsOf(
  node: string | undefined,
  { calls, serviceEvents }: Entries,
  { index }: DecisionsOptions,
): readonly Decision[] {
  /** The failed pulls in a row, by image and pod. */
  const failed = new Map<string, number>();
  let restoredMs = Number.NEGATIVE_INFINITY;
  const all = calls.map((call): Decision => {
    const { atMs, verb, object = '', outcome = 'ok' } = call;
    if (verb === 'run' && object.startsWith('iptables-restore ') && outcome === 'ok' && node !== undefined) {
      const services = servicesIn(serviceEvents, { afterMs: restoredMs, toMs: atMs, index });
      restoredMs = atMs;
      const rules = services.join(' ') || 'KUBE-';
      const after = services.length === 0 ? '' : ` after a change of Service ${services.join(', ')}`;
      return {
        atMs,
        text: `replaces the rules of ${node}${after}`,
        subject: { kind: 'node', name: node, rules },
      };
    }
    if (verb === 'pullImage') {
      const count = outcome === 'ok' ? 0 : (failed.get(object) ?? 0) + 1;
      failed.set(object, count);
      const [image, pod] = object.split(' ');
      if (count > 1)
        return { atMs, text: `tries to pull ${image} for ${pod} again: ${outcome}, failed pull ${count}` };
    }
    const said = verb === 'run' ? 'runs' : `calls ${verb}`;
    const result = outcome === 'ok' ? '' : `: ${outcome}`;
    return { atMs, text: `${[said, withShortIds(object)].filter(Boolean).join(' ')}${result}` };
  });
  return all.slice(-DECISIONS_MAX);
}

/** Returns the Services, `namespace/name`, that the events of a time are about. */
function servicesIn(
  events: readonly TraceEntry[],
  { afterMs, toMs, index }: { readonly afterMs: number; readonly toMs: number; readonly index: JournalIndex },
): readonly string[] {
  const found = events
    .filter(({ atMs }) => atMs > afterMs && atMs <= toMs)
    .flatMap(({ revision = 0 }) => {
      const write = index.at(revision);
      if (!write) return [];
      const { name, namespace } = write.object.metadata;
      const isSlice = sameResource(write.resource, endpointSlices);
      const service = isSlice ? serviceOf(write.object as EndpointSlice) : name;
      return service === undefined ? [] : [`${namespace}/${service}`];
    });
  return [...new Set(found)].sort();
}

/** Shortens the ids of containers and sandboxes, as crictl does. */
function withShortIds(text: string): string {
  return text.replace(/\b[0-9a-f]{64}\b/g, (id) => id.slice(0, 13));
}
