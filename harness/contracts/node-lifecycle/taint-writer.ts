import type * as core from '#api/core/v1';
import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { isConflict, isNotFound } from '../../api/status.ts';
import { formatTime } from '../../sim/index.ts';
import type { ComponentContext } from '../component.ts';
import { matchTaint, type TaintChanges } from './facts.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go UpdateTaintBackoff */
const TRIES = 5;
const RETRY_MS = 100;

/**
 * Changes the taints of a node in two writes: it adds, then removes. Each write reads the node first, at most five times
 * while other clients write it. A write that would change nothing is omitted. Added taints get the current time. If the
 * node is gone, or has another uid, it writes nothing.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/node/controller_utils.go SwapNodeControllerTaint;
 * pkg/controller/controller_utils.go AddOrUpdateTaintOnNode, RemoveTaintOffNode
 *
 * Differs: it checks the uid of the node. Upstream taints a node that was recreated under the same name.
 *
 * @throws StatusError, ConnectionError when a request fails
 */
export async function changeTaints(
  context: Pick<ComponentContext, 'client' | 'clock' | 'signal'>,
  node: Node,
  { add, remove }: TaintChanges,
): Promise<void> {
  const timeAdded = formatTime(context.clock.now());
  const added = add.map((taint) => ({ ...taint, timeAdded }));
  if (added.length > 0) await write(context, node, (taints) => withTaints(taints, added));
  if (remove.length > 0) await write(context, node, (taints) => withoutTaints(taints, remove));
}

/** Returns the taints with the added taints. A taint with the key and effect of an added one is replaced. */
export function withTaints(taints: readonly core.Taint[], added: readonly core.Taint[]): core.Taint[] {
  return [...withoutTaints(taints, added), ...added];
}

/** Returns the taints that have neither the key nor the effect of a removed one. */
export function withoutTaints(taints: readonly core.Taint[], removed: readonly core.Taint[]): core.Taint[] {
  return taints.filter((taint) => !removed.some((one) => matchTaint(one, taint)));
}

async function write(
  { client, clock, signal }: Pick<ComponentContext, 'client' | 'clock' | 'signal'>,
  { metadata: { name, uid } }: Node,
  change: (taints: readonly core.Taint[]) => core.Taint[],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // The first read may come from the cache of the apiserver: the patch detects an outdated version.
      const { metadata, spec } = await client.get(
        nodes,
        { name },
        tries === 1 ? { resourceVersion: '0' } : {},
      );
      if (metadata.uid !== uid) return;
      const taints = change(spec.taints ?? []);
      if (isSame(taints, spec.taints ?? [])) return;
      const body = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { taints } };
      await client.patch(nodes, { name }, { type: 'strategic', body });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || tries === TRIES) throw error;
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

/** Returns whether both lists have the same taints. The time of a taint does not count. */
function isSame(a: readonly core.Taint[], b: readonly core.Taint[]): boolean {
  return (
    a.length === b.length &&
    a.every((one) => b.some((two) => matchTaint(one, two) && one.value === two.value))
  );
}
