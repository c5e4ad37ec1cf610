import type { Pod } from '#api/core/v1';
import type { Ago } from './ago.ts';
import { age, type Column, NONE, name, type RowCondition, text, wide } from './column.ts';
import { podState } from './pod-state.ts';

/** The columns of a Pod. */
export const podColumns: readonly Column<Pod>[] = [
  name,
  text('Ready', 'How many containers are ready, of how many.', (pod) => {
    const { ready, total } = podState(pod);
    return `${ready}/${total}`;
  }),
  text('Status', 'How the pod is, in one word.', (pod) => podState(pod).status),
  text('Restarts', 'How often containers were started again, and when that was last.', restarts),
  age,
  wide(text('IP', 'The first address of the pod.', ({ status }) => status?.podIPs?.[0]?.ip || NONE)),
  wide(text('Node', 'The node that the pod is bound to.', ({ spec }) => spec?.nodeName || NONE)),
  wide(
    text(
      'Nominated Node',
      'The node on which room is being made for the pod.',
      ({ status }) => status?.nominatedNodeName || NONE,
    ),
  ),
  wide(text('Readiness Gates', 'How many conditions that it needs to be ready are met.', readinessGates)),
];

/** Returns the condition of a finished pod, with the reason. */
export function podConditions({ status }: Pod): readonly RowCondition[] {
  if (status?.phase === 'Succeeded') return [completed('Succeeded', 'The pod has completed successfully.')];
  if (status?.phase === 'Failed') return [completed('Failed', 'The pod failed.')];
  return [];
}

function completed(reason: string, message: string): RowCondition {
  return { type: 'Completed', status: 'True', reason, message };
}

function restarts(pod: Pod, ago: Ago): string {
  const { restarts: count, lastRestart } = podState(pod);
  return count > 0 && lastRestart ? `${count} (${ago(lastRestart)} ago)` : String(count);
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const conditions = status?.conditions ?? [];
  const met = gates.filter(
    ({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status === 'True',
  );
  return `${met.length}/${gates.length}`;
}
