import type { Taint } from '#api/core/v1';
import type { Node } from '../../api/objects.ts';
import type { Machine } from '../../node/machine.ts';
import type { NodeView } from '../protocol/view.ts';
import { readyNodeCondition } from './predicates.ts';

/** Returns the picture of a node. @param of.object undefined until its kubelet has registered it */
export function nodeViewOf({
  name,
  object,
  machine,
  ...rest
}: Pick<NodeView, 'name' | 'isPartitioned' | 'components' | 'pods'> & {
  readonly object: Node | undefined;
  readonly machine: Machine | undefined;
}): NodeView {
  const conditions = object?.status.conditions ?? [];
  const { usedBytes = 0, capacityBytes = 1 } = machine?.files.disk ?? {};
  return {
    name,
    ready: object ? readyNodeCondition(object) : 'Unknown',
    isPowered: machine?.powered ?? true,
    isCordoned: object?.spec.unschedulable ?? false,
    taints: (object?.spec.taints ?? []).map(taintText),
    pressures: conditions
      .filter(({ type, status }) => type !== 'Ready' && status === 'True')
      .map(({ type }) => type),
    diskUsedPercent: Math.round((100 * usedBytes) / capacityBytes),
    ...rest,
  };
}

/** `key=value:effect`, without the parts that are empty. */
function taintText({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`;
}
