/** Computes the changes of a node or a pod, by comparing texts. */
import { framework, type Node, type Pod } from '#harness';

/** An event, the old object, and the new object. */
export type Happening = readonly [framework.ClusterEvent, Node | Pod | undefined, Node | Pod | undefined];

export function changesOfNode(before: Node, after: Node): Happening[] {
  const of = (actionType: framework.ActionType, part: (node: Node) => unknown): Happening[] =>
    text(part(before)) === text(part(after)) ? [] : [[{ resource: 'Node', actionType }, before, after]];
  const amounts = ({ status }: Node) => {
    const { scalar, ...rest } = framework.parseResources(status.allocatable);
    return { ...rest, scalar: Object.fromEntries(scalar) };
  };
  return [
    ...(before.spec.unschedulable ? of('UpdateNodeTaint', ({ spec }) => spec.unschedulable ?? false) : []),
    ...of('UpdateNodeAllocatable', amounts),
    ...of('UpdateNodeLabel', ({ metadata }) => metadata.labels ?? {}),
    ...of('UpdateNodeTaint', ({ spec }) => spec.taints ?? []),
    ...of('UpdateNodeCondition', ({ status }) =>
      Object.fromEntries((status.conditions ?? []).map((each) => [each.type, each.status])),
    ),
    ...of('UpdateNodeAnnotation', ({ metadata }) => metadata.annotations ?? {}),
  ];
}

export function changesOfPod(before: Pod, after: Pod): Happening[] {
  const resource = after.spec.nodeName ? 'AssignedPod' : 'Pod';
  const event = (actionType: framework.ActionType): Happening => [{ resource, actionType }, before, after];
  const tolerates = ({ spec }: Pod): number => spec.tolerations?.length ?? 0;
  return [
    ...(text(before.metadata.labels ?? {}) === text(after.metadata.labels ?? {})
      ? []
      : [event('UpdatePodLabel')]),
    ...(asksForLess(before, after) ? [event('UpdatePodScaleDown')] : []),
    ...(tolerates(before) === tolerates(after) ? [] : [event('UpdatePodToleration')]),
  ];
}

function asksForLess(before: Pod, after: Pod): boolean {
  const [was, is] = [before, after].map((pod) => framework.podInfoOf(pod).requests) as [
    framework.Resources,
    framework.Resources,
  ];
  const less = framework.subtractResources(is, was);
  const amounts = [less.milliCPU, less.memory, less.ephemeralStorage, ...less.scalar.values()];
  // The difference lacks resources that were removed completely.
  return amounts.some((amount) => amount < 0) || [...was.scalar.keys()].some((name) => !is.scalar.has(name));
}

/** Returns equal texts for equal values, in any order of their fields. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
