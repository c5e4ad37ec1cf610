import type { Pod } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, type DeedKind, isMarked, ownerDeed, podsIn } from './deed.ts';

/** What a write of a pod is, to a person; nothing, for most writes of a status. */
export function podDeeds(entry: JournalEntry<Pod>): readonly Deed[] {
  const { type, object: pod, previous } = entry;
  if (type === 'ADDED') return [podDeed(entry, 'pod-created', 'creates')];
  if (type === 'DELETED') return [gone(entry)];
  if (isMarked(entry)) {
    const { deletionGracePeriodSeconds, finalizers = [] } = pod.metadata;
    // With no time left and nothing to wait for, it is gone with the next write.
    const goes = deletionGracePeriodSeconds === 0 && finalizers.length === 0;
    return goes ? [] : [podDeed(entry, 'pod-deleted', 'deletes')];
  }
  const owner = ownerDeed(entry, 'Pod');
  if (owner) return [owner];
  if (!previous) return [];
  if (pod.spec.nodeName && !previous.spec.nodeName) return [bound(entry)];
  if (phaseOf(pod) !== phaseOf(previous) && (phaseOf(pod) === 'Failed' || phaseOf(pod) === 'Succeeded')) {
    // One that is deleted has stopped, and is told of when it is gone.
    const told = phaseOf(pod) === 'Failed' && pod.metadata.deletionTimestamp === undefined;
    return told ? [podDeed(entry, 'pod-ended', reasonOf(pod))] : [];
  }
  if (isReady(pod) && !isReady(previous)) return [podDeed(entry, 'pod-ready', 'has', 'ready')];
  if (!isReady(pod) && isReady(previous)) return [podDeed(entry, 'pod-unready', 'has', 'no longer ready')];
  // It is tried again and again: once is enough.
  const tried = ['ErrImagePull', 'ImagePullBackOff'].includes(waitingReason(previous) ?? '');
  if (!tried && waitingReason(pod) === 'ErrImagePull') {
    return [podDeed(entry, 'pod-not-pulled', 'cannot pull the image of')];
  }
  if (hasSandbox(pod) && !hasSandbox(previous)) return [podDeed(entry, 'sandbox', 'gives a sandbox to')];
  return pod.status.startTime && !previous.status.startTime ? [podDeed(entry, 'pod-started', 'accepts')] : [];
}

function podDeed(entry: JournalEntry<Pod>, kind: DeedKind, verb: string, after = ''): Deed {
  const owner = controllerOf(entry.object)?.name;
  return {
    entry: entry as unknown as JournalEntry,
    kind,
    group: `${kind} ${owner ?? 'bare'}`,
    tell: (deeds) => [verb, podsIn(namesIn(deeds), owner), after].filter(Boolean).join(' '),
  };
}

function bound(entry: JournalEntry<Pod>): Deed {
  const deed = podDeed(entry, 'pod-bound', 'binds');
  return {
    ...deed,
    tell: (deeds) => {
      const nodes = deeds.map(({ entry: { object } }) => (object as Pod).spec.nodeName ?? '');
      return `${deed.tell(deeds)} to ${listed([...new Set(nodes)].sort(), 'nodes')}`;
    },
  };
}

/** A kubelet says so when the containers have stopped; others just remove. */
function gone(entry: JournalEntry<Pod>): Deed {
  const stopped =
    entry.previous?.metadata.deletionTimestamp !== undefined && entry.actor.startsWith('kubelet');
  return podDeed(entry, 'pod-gone', stopped ? 'has stopped' : 'removes');
}

function namesIn(deeds: readonly Deed[]): readonly string[] {
  return deeds.map(({ entry: { object } }) => object.metadata.name);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodReadyToStartContainersCondition */
function hasSandbox({ status }: Pod): boolean {
  return (status.conditions ?? []).some(
    ({ type, status: is }) => type === 'PodReadyToStartContainers' && is === 'True',
  );
}

const phaseOf = ({ status }: Pod): string => status.phase ?? '';

const reasonOf = ({ status }: Pod): string => (status.reason === 'Evicted' ? 'evicts' : 'sees the end of');

function waitingReason({ status }: Pod): string | undefined {
  return status.containerStatuses?.find(({ state }) => state?.waiting)?.state?.waiting?.reason;
}

/** A few by name, more by number. */
function listed(names: readonly string[], what: string): string {
  return names.length <= 3 ? names.join(', ') : `${names.length} ${what}`;
}
