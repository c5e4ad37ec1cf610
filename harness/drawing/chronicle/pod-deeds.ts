import type { Pod } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, type DeedKind, isMarked, ownerDeed, podsIn } from './deed.ts';

/** Describes a write of a pod; returns no operation for most writes of a status. */
export function podDeeds(entry: JournalEntry<Pod>): readonly Deed[] {
  const { type, object: pod, previous } = entry;
  if (type === 'ADDED') return [podDeed(entry, 'pod-created', 'creates')];
  if (type === 'DELETED') return [gone(entry)];
  if (isMarked(entry)) {
    const { deletionGracePeriodSeconds, finalizers = [] } = pod.metadata;
    // Without a grace period and finalizers, the next write removes it.
    const goes = deletionGracePeriodSeconds === 0 && finalizers.length === 0;
    return goes ? [] : [podDeed(entry, 'pod-deleted', 'deletes')];
  }
  const owner = ownerDeed(entry, 'Pod');
  if (owner) return [owner];
  if (!previous) return [];
  if (pod.spec.nodeName && !previous.spec.nodeName) return [bound(entry)];
  if (phaseOf(pod) !== phaseOf(previous) && (phaseOf(pod) === 'Failed' || phaseOf(pod) === 'Succeeded')) {
    // A deleted pod has stopped, and appears when it is removed.
    const told = phaseOf(pod) === 'Failed' && pod.metadata.deletionTimestamp === undefined;
    return told ? [podDeed(entry, 'pod-ended', reasonOf(pod))] : [];
  }
  if (isReady(pod) && !isReady(previous)) return [podDeed(entry, 'pod-ready', 'reports', 'as ready')];
  if (!isReady(pod) && isReady(previous))
    return [podDeed(entry, 'pod-unready', 'reports', 'as no longer ready')];
  // Report only the first pull failure.
  const tried = ['ErrImagePull', 'ImagePullBackOff'].includes(waitingReason(previous) ?? '');
  if (!tried && waitingReason(pod) === 'ErrImagePull') {
    return [podDeed(entry, 'pod-not-pulled', 'cannot pull the image of')];
  }
  if (hasSandbox(pod) && !hasSandbox(previous)) return [podDeed(entry, 'sandbox', 'creates a sandbox for')];
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

/** A kubelet removes the pod after its containers have stopped; other actors remove it at once. */
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

const reasonOf = ({ status }: Pod): string =>
  status.reason === 'Evicted' ? 'evicts' : 'reports the failure of';

function waitingReason({ status }: Pod): string | undefined {
  return status.containerStatuses?.find(({ state }) => state?.waiting)?.state?.waiting?.reason;
}

/** Returns up to three names, or their number. */
function listed(names: readonly string[], what: string): string {
  return names.length <= 3 ? names.join(', ') : `${names.length} ${what}`;
}
