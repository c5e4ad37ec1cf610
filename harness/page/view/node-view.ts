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
    pressures: conditions
      .filter(({ type, status }) => type !== 'Ready' && status === 'True')
      .map(({ type }) => type),
    diskUsedPercent: Math.round((100 * usedBytes) / capacityBytes),
    ...rest,
  };
}
