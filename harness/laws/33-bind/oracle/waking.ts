import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import * as framework from '../../../contracts/framework/index.ts';
import type { Attempt, SchedulerHistory } from '../history/index.ts';

interface Happened {
  readonly event: framework.ClusterEvent;
  readonly before: Pod | Node | undefined;
  readonly after: Pod | Node | undefined;
}

/**
 * Judges whether a write could help the rejected pod of an attempt, by the hints of the plugins that rejected it.
 *
 * @returns `surely` if every correct scheduler must wake the pod, `perhaps` if it may: some writes can be read as more than
 * one event
 */
export function helps(
  { plugins }: SchedulerHistory,
  attempt: Attempt,
  entry: JournalEntry<Pod | Node>,
): 'surely' | 'perhaps' | 'no' {
  const { unschedulablePlugins } = attempt.diagnosis;
  const asked = plugins.filter(({ name }) => unschedulablePlugins.has(name));
  const wakes = ({ event, before, after }: Happened): boolean =>
    asked.some((plugin) =>
      plugin
        .eventsToRegister()
        .some(
          ({ event: registered, queueingHintFn }) =>
            framework.matches(registered, event) && says(queueingHintFn, attempt.pod, before, after),
        ),
    );
  const { sure, possible } =
    entry.resource.plural === 'nodes'
      ? ofNode(entry as JournalEntry<Node>)
      : ofPod(entry as JournalEntry<Pod>, attempt.pod);
  if (sure.some(wakes)) return 'surely';
  return possible.some(wakes) ? 'perhaps' : 'no';
}

function says(
  hint: framework.QueueingHintFn | undefined,
  pod: Pod,
  before: Pod | Node | undefined,
  after: Pod | Node | undefined,
): boolean {
  try {
    return hint === undefined || hint(pod, before, after) === 'Queue';
  } catch {
    return true;
  }
}

interface Reading {
  readonly sure: readonly Happened[];
  readonly possible: readonly Happened[];
}

function ofNode({ type, object, previous }: JournalEntry<Node>): Reading {
  const node = (actionType: framework.ActionType): Happened => ({
    event: { resource: 'Node', actionType },
    before: type === 'ADDED' ? undefined : previous,
    after: type === 'DELETED' ? undefined : object,
  });
  if (type === 'ADDED') return { sure: [node('Add')], possible: [] };
  if (type === 'DELETED') return { sure: [node('Delete')], possible: [] };
  const [one, other] = [previous as Node, object];
  const differ = (part: (node: Node) => unknown): boolean =>
    JSON.stringify(part(one)) !== JSON.stringify(part(other));
  const sure: Happened[] = [];
  const possible: Happened[] = [];
  if (differ(({ status }) => status.allocatable)) sure.push(node('UpdateNodeAllocatable'));
  if (differ(({ metadata }) => metadata.labels)) sure.push(node('UpdateNodeLabel'));
  if (differ(({ spec }) => spec.taints ?? [])) sure.push(node('UpdateNodeTaint'));
  if (one.spec.unschedulable && !other.spec.unschedulable) sure.push(node('UpdateNodeTaint'));
  if (!one.spec.unschedulable && other.spec.unschedulable) possible.push(node('UpdateNodeTaint'));
  if (differ(({ metadata }) => metadata.annotations)) possible.push(node('UpdateNodeAnnotation'));
  const statuses = ({ status }: Node) => (status.conditions ?? []).map((each) => [each.type, each.status]);
  if (differ(statuses)) possible.push(node('UpdateNodeCondition'));
  return { sure, possible };
}

function ofPod({ type, object, previous }: JournalEntry<Pod>, waiting: Pod): Reading {
  const assigned = (
    actionType: framework.ActionType,
    before: Pod | undefined,
    after: Pod | undefined,
  ): Happened => ({ event: { resource: 'AssignedPod', actionType }, before, after });
  const [was, is] = [isPlaced(previous), type !== 'DELETED' && isPlaced(object)];
  if (!was && is) return { sure: [assigned('Add', undefined, object)], possible: [] };
  if (was && !is) return { sure: [assigned('Delete', previous, undefined)], possible: [] };
  if (was && is && previous) {
    const changed = JSON.stringify(previous.metadata.labels) !== JSON.stringify(object.metadata.labels);
    const tolerates = previous.spec.tolerations?.length !== object.spec.tolerations?.length;
    return {
      sure: changed ? [assigned('UpdatePodLabel', previous, object)] : [],
      possible: tolerates ? [assigned('UpdatePodToleration', previous, object)] : [],
    };
  }
  if (object.metadata.uid !== waiting.metadata.uid) {
    // The pod may have been assumed on a node; its deletion frees that room.
    return { sure: [], possible: type === 'DELETED' ? [assigned('Delete', placed(object), undefined)] : [] };
  }
  const own = (actionType: framework.ActionType): Happened => ({
    event: { resource: 'Pod', actionType },
    before: previous,
    after: object,
  });
  return {
    sure: [],
    possible: [own('UpdatePodLabel'), own('UpdatePodToleration'), own('UpdatePodSchedulingGatesEliminated')],
  };
}

function isPlaced(pod: Pod | undefined): boolean {
  return pod !== undefined && Boolean(pod.spec.nodeName) && !hasEnded(pod);
}

function placed(pod: Pod): Pod {
  return { ...pod, spec: { ...pod.spec, nodeName: pod.spec.nodeName ?? 'node-1' } };
}
