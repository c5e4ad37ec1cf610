import { deepEqual } from '../../api/freeze.ts';
import type { Deployment, EndpointSlice, Job, Node, Pod, ReplicaSet } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { deployments, endpointSlices, groupResource, nodes, pods, replicaSets } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';
import type { Fault } from '../../faults/index.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Subject } from '../protocol/details.ts';
import type { Moment } from '../protocol/message.ts';
import { faultWords } from '../share/fault-words.ts';
import { faultOf } from './fault-of.ts';
import type { IndexedWrite } from './journal-index.ts';
import { isRolledOut, readyNodeCondition, serviceOf } from './predicates.ts';
import { stuckOf } from './workload-views.ts';

/** The moments of interest of one cluster, in the order of the run. */
export class Moments {
  readonly #cluster: Cluster;
  readonly #zeroMs: number;
  #read: number;
  /** The lasting faults that have not ended, by their place in the list of struck faults. */
  readonly #lasting = new Set<number>();
  #struck: number;
  /** The processes that have crashed, and have not started again. */
  readonly #crashed = new Set<string>();

  constructor(cluster: Cluster, zeroMs: number) {
    this.#cluster = cluster;
    this.#zeroMs = zeroMs;
    this.#read = cluster.trace.entries.length;
    this.#struck = cluster.nemesis.struck.length;
  }

  /**
   * Returns the moments since the last call.
   *
   * @param writes the writes since the last call
   */
  take(writes: readonly IndexedWrite[]): readonly Moment[] {
    const { entries } = this.#cluster.trace;
    const found: Moment[] = [];
    let next = 0;
    for (; this.#read <= entries.length; this.#read++) {
      for (; (writes[next]?.traced ?? Number.POSITIVE_INFINITY) <= this.#read; next++) {
        const { entry } = writes[next] as IndexedWrite;
        for (const moment of momentsOf(entry)) found.push(this.#at(entry.atMs, moment));
      }
      const entry = entries[this.#read];
      if (!entry) break;
      const moment = this.#ofTrace(entry);
      if (moment) found.push(this.#at(entry.atMs, moment));
    }
    return this.#withEnds(found);
  }

  /** Adds the ends of faults. They follow everything else of their instant, so they wait until it is over. */
  #withEnds(found: readonly Moment[]): readonly Moment[] {
    const { struck } = this.#cluster.nemesis;
    for (; this.#struck < struck.length; this.#struck++) {
      const one = struck[this.#struck];
      if (one && !MOMENTARY.has(one.fault.fault)) this.#lasting.add(this.#struck);
    }
    const ends: Moment[] = [];
    for (const at of this.#lasting) {
      const { fault, endedMs } = struck[at] as (typeof struck)[number];
      if (endedMs === undefined || endedMs >= this.#cluster.sim.elapsedMs) continue;
      this.#lasting.delete(at);
      ends.push(
        this.#at(endedMs, {
          kind: 'fault-ended',
          text: `Fault ended: ${faultWords(fault)}`,
          ...aboutFault(fault),
        }),
      );
    }
    if (ends.length === 0) return found;
    return [...found, ...ends].sort((a, b) => a.atMs - b.atMs);
  }

  #at(atMs: number, moment: Omit<Moment, 'atMs'>): Moment {
    return { atMs: atMs - this.#zeroMs, ...moment };
  }

  #ofTrace(entry: TraceEntry): Omit<Moment, 'atMs'> | undefined {
    const { actor, verb, object = '', note = '', outcome } = entry;
    if (actor === 'nemesis') {
      const fault = faultOf(entry);
      return fault && { kind: 'fault-began', text: `Fault: ${faultWords(fault)}`, ...aboutFault(fault) };
    }
    const subject: Subject = { kind: 'component', name: actor };
    switch (verb) {
      case 'crash':
        this.#crashed.add(actor);
        return { kind: 'crash', text: `${actor} crashes`, subject };
      case 'exit':
        this.#crashed.add(actor);
        return {
          kind: 'crash',
          text: note === '' ? `${actor} stops` : `${actor} gives up: ${firstLine(note)}`,
          subject,
        };
      case 'start':
        if (!this.#crashed.delete(actor)) return undefined;
        return { kind: 'crash', text: `${actor} starts again`, subject };
      case 'error':
        return { kind: 'error', text: `${actor}: ${firstLine(note)}`, subject };
      case 'run':
        if (outcome !== 'ok' || !object.startsWith('iptables-restore')) return undefined;
        return { kind: 'rules', text: `${actor} replaces rules`, subject };
      default:
        return undefined;
    }
  }
}

/** The faults that end as they begin. */
const MOMENTARY: ReadonlySet<Fault['fault']> = new Set(['compact', 'cut-watches', 'fail-watches']);

const handlers: Readonly<Record<string, (entry: JournalEntry<never>) => readonly Omit<Moment, 'atMs'>[]>> = {
  [groupResource(pods)]: ofPod,
  [groupResource(deployments)]: ofDeployment,
  [groupResource(replicaSets)]: ofReplicaSet,
  [groupResource(jobs)]: ofJob,
  [groupResource(endpointSlices)]: ofEndpointSlice,
  [groupResource(nodes)]: ofNode,
};

function momentsOf(entry: JournalEntry): readonly Omit<Moment, 'atMs'>[] {
  return handlers[groupResource(entry.resource)]?.(entry as JournalEntry<never>) ?? [];
}

function ofPod({ type, object: pod, previous, key }: JournalEntry<Pod>): readonly Omit<Moment, 'atMs'>[] {
  const { name } = pod.metadata;
  const subject: Subject = { kind: 'object', resource: 'pods', key };
  if (type === 'DELETED') return [{ kind: 'pod-deleted', text: `Pod ${name} is deleted`, subject }];
  const moments: Omit<Moment, 'atMs'>[] = [];
  if (pod.spec.nodeName && previous && !previous.spec.nodeName) {
    moments.push({ kind: 'scheduled', text: `Pod ${name} is bound to ${pod.spec.nodeName}`, subject });
  }
  const [was, is] = [previous !== undefined && isReady(previous), isReady(pod)];
  if (is && !was) moments.push({ kind: 'pod-ready', text: `Pod ${name} is ready`, subject });
  if (was && !is) moments.push({ kind: 'pod-unready', text: `Pod ${name} is no longer ready`, subject });
  if (pod.metadata.deletionTimestamp !== undefined && previous?.metadata.deletionTimestamp === undefined) {
    const text = evictionOf(pod);
    if (text !== undefined) moments.push({ kind: 'pod-evicted', text: `Pod ${name} ${text}`, subject });
  }
  const trouble = troubleOf(pod);
  // A back-off alternates with the next failure: only the first one is news.
  if (trouble !== undefined && !(previous && troubleOf(previous))) {
    moments.push({ kind: 'error', text: `Pod ${name}: ${trouble}`, subject });
  }
  return moments;
}

/**
 * Returns why the deletion of a pod is an eviction, by the condition that its author has added.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go addConditionAndDeletePod
 */
function evictionOf({ spec, status }: Pod): string | undefined {
  const disruption = status.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (disruption?.status !== 'True') return undefined;
  switch (disruption.reason) {
    case 'DeletionByTaintManager':
      return `is evicted from ${spec.nodeName} by a taint`;
    case 'EvictionByEvictionAPI':
      return `is evicted from ${spec.nodeName}`;
    default:
      return undefined;
  }
}

/** The reasons of containers that will run, if nothing goes wrong. */
const STARTING: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** Returns why a container of a pod cannot run: `ErrImagePull`. */
function troubleOf({ status }: Pod): string | undefined {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
    .map(({ state }) => state?.waiting?.reason)
    .find((reason) => reason !== undefined && !STARTING.has(reason));
}

function ofDeployment({
  type,
  object,
  previous,
  key,
}: JournalEntry<Deployment>): readonly Omit<Moment, 'atMs'>[] {
  const subject: Subject = { kind: 'object', resource: 'deployments.apps', key };
  const rollout = (text: string) =>
    [{ kind: 'rollout', text: `Deployment ${object.metadata.name} ${text}`, subject }] as const;
  if (type === 'DELETED') return rollout('is deleted');
  if (!previous) return [];
  if (previous.spec.replicas !== object.spec.replicas) {
    return rollout(`is scaled from ${previous.spec.replicas} to ${object.spec.replicas}`);
  }
  if (Boolean(previous.spec.paused) !== Boolean(object.spec.paused)) {
    return rollout(object.spec.paused ? 'is paused' : 'is resumed');
  }
  const { stuck } = stuckOf(object.status);
  if (stuck !== undefined && stuckOf(previous.status).stuck !== stuck) return rollout(`is stuck: ${stuck}`);
  return isRolledOut(object) && !isRolledOut(previous) ? rollout('is complete') : [];
}

function ofReplicaSet({ type, object, key }: JournalEntry<ReplicaSet>): readonly Omit<Moment, 'atMs'>[] {
  const owner = controllerOf(object);
  if (type !== 'ADDED' || owner?.kind !== 'Deployment') return [];
  const subject: Subject = { kind: 'object', resource: 'replicasets.apps', key };
  return [{ kind: 'rollout', text: `Deployment ${owner.name} rolls out ${object.metadata.name}`, subject }];
}

function ofJob({ type, object, previous, key }: JournalEntry<Job>): readonly Omit<Moment, 'atMs'>[] {
  const end = finishedCondition(object);
  if (type === 'DELETED' || !end || (previous && finishedCondition(previous))) return [];
  const text = end.type === 'Complete' ? 'is complete' : `has failed: ${end.reason}`;
  const subject: Subject = { kind: 'object', resource: 'jobs.batch', key };
  return [{ kind: 'rollout', text: `Job ${object.metadata.name} ${text}`, subject }];
}

function ofEndpointSlice({
  type,
  object,
  previous,
}: JournalEntry<EndpointSlice>): readonly Omit<Moment, 'atMs'>[] {
  const service = serviceOf(object);
  if (service === undefined || type === 'DELETED') return [];
  const endpoints = object.endpoints ?? [];
  if (previous && deepEqual(endpoints, previous.endpoints ?? [])) return [];
  const ready = endpoints.filter(({ conditions }) => conditions?.ready ?? true).length;
  const text = `Service ${service}: ${ready} of ${endpoints.length} endpoint${endpoints.length === 1 ? '' : 's'} ready`;
  const key = `${object.metadata.namespace}/${service}`;
  return [{ kind: 'endpoints', text, subject: { kind: 'object', resource: 'services', key } }];
}

function ofNode({ type, object, previous, key }: JournalEntry<Node>): readonly Omit<Moment, 'atMs'>[] {
  const { name } = object.metadata;
  const subject: Subject = { kind: 'node', name: key };
  const node = (text: string) => ({ kind: 'node', text: `Node ${name} ${text}`, subject }) as const;
  if (type === 'DELETED') return [node('is deleted')];
  const moments: Omit<Moment, 'atMs'>[] = [];
  const [was, is] = [previous && readyNodeCondition(previous), readyNodeCondition(object)];
  if (is !== was && (previous || is === 'True')) moments.push(node(READY_WORDS[is]));
  if (previous && Boolean(previous.spec.unschedulable) !== Boolean(object.spec.unschedulable)) {
    moments.push(node(object.spec.unschedulable ? 'is cordoned' : 'is uncordoned'));
  }
  return moments;
}

const READY_WORDS = {
  True: 'is ready',
  False: 'is not ready',
  Unknown: 'does not report any more',
} as const;

function aboutFault(fault: Fault): Pick<Moment, 'subject'> {
  if ('process' in fault) return { subject: { kind: 'component', name: fault.process } };
  if ('node' in fault) return { subject: { kind: 'node', name: fault.node } };
  return { subject: { kind: 'apiserver', index: 'replica' in fault ? fault.replica : 0 } };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
