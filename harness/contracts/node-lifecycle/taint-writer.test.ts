import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { named, vectors } from '../../testing/vectors.ts';
import type { ComponentContext } from '../component.ts';
import { changeTaints, withoutTaints, withTaints } from './taint-writer.ts';

const NO_EXECUTE = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
const GPU = { key: 'gpu', effect: 'NoSchedule' };

interface Taints {
  readonly taints: readonly core.Taint[];
  readonly remove: readonly core.Taint[];
}

describe('The taints of a node', () => {
  test.each(
    named(
      vectors<Taints, { readonly taints: core.Taint[]; readonly written: boolean }>(
        'node-lifecycle',
        'taints',
        3,
      ),
    ),
  )('are removed as in Kubernetes: %s', (_, { input, expect: { taints, written } }) => {
    const after = withoutTaints(input.taints, input.remove);
    expect(after).toEqual(taints);
    expect(after.length !== input.taints.length).toBe(written);
  });

  test('are replaced by a taint with the same key and effect', () => {
    const later = { ...GPU, value: 'b100' };
    expect(withTaints([GPU, NO_EXECUTE], [later])).toEqual([NO_EXECUTE, later]);
  });
});

/** A cluster with a node that has one taint, and the context of a component. */
async function opened() {
  const cluster = await createCluster();
  let context: ComponentContext | undefined;
  cluster.run('tainter', async (given) => {
    context = given;
    await new Promise((resolve) => given.signal.addEventListener('abort', resolve));
  });
  await cluster.runFor(10);
  const node = await cluster.admin.create(nodes, { metadata: { name: 'node-1' }, spec: { taints: [GPU] } });
  return {
    cluster,
    node,
    change: (of: Node, add: readonly core.Taint[], remove: readonly core.Taint[]) =>
      cluster.settle(changeTaints(context as ComponentContext, of, { add, remove })),
    stored: () => cluster.admin.get(nodes, { name: 'node-1' }),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

describe('A change of taints', () => {
  test('adds with the current time, then removes, in two writes', async () => {
    await using one = await opened();
    await one.change(one.node, [NO_EXECUTE], [GPU]);
    const { metadata, spec } = await one.stored();
    expect(spec.taints).toEqual([{ ...NO_EXECUTE, timeAdded: '2024-04-17T00:00:00Z' }]);
    expect(Number(metadata.resourceVersion) - Number(one.node.metadata.resourceVersion)).toBe(2);
  });

  test('writes nothing if the node has the taint already', async () => {
    await using one = await opened();
    await one.change(one.node, [GPU], [NO_EXECUTE]);
    expect((await one.stored()).metadata.resourceVersion).toBe(one.node.metadata.resourceVersion);
  });

  test('tries again after a conflict, and keeps the taint of the other client', async () => {
    await using one = await opened();
    one.cluster.nemesis.strike({ fault: 'refuse', process: 'tainter', reason: 'Conflict', requests: 2 });
    await one.change(one.node, [NO_EXECUTE], []);
    expect((await one.stored()).spec.taints).toHaveLength(2);
  });

  test('taints no other node of the same name', async () => {
    await using one = await opened();
    await one.cluster.admin.delete(nodes, { name: 'node-1' });
    await one.change(one.node, [NO_EXECUTE], []);
    await one.cluster.admin.create(nodes, { metadata: { name: 'node-1' }, spec: {} });
    await one.change(one.node, [NO_EXECUTE], []);
    expect((await one.stored()).spec.taints).toBeUndefined();
  });
});
