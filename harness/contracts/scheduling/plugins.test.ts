import { describe, expect, test } from 'vitest';
import { keyOf, type Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { aSchedulingPod } from '../../laws/scheduling/index.ts';
import {
  type BindPlugin,
  CycleState,
  type Filtering,
  type ReservePlugin,
  type Status,
  skip,
  success,
  unschedulable,
} from '../framework/index.ts';
import {
  defaultBinder,
  runBindPlugins,
  runReservePluginsReserve,
  runReservePluginsUnreserve,
} from './plugins.ts';

describe('Plugins that reserve and bind', () => {
  const state = new CycleState();
  const web = aSchedulingPod({ name: 'web', nodeName: 'node-1' });
  const filtering: Filtering = {
    plugins: [],
    findNodesThatFit: () => {
      throw new Error('findNodesThatFit must not be called here');
    },
    fitErrorMessage: (numAllNodes, { nodeToStatus }) =>
      `0/${numAllNodes}: ${[...nodeToStatus.values()].flatMap(({ reasons }) => reasons).join()}`,
  };
  const explode = (): never => {
    throw new Error('out of order');
  };
  /** Creates a plugin that records its calls. */
  const reserving = (diary: string[], name: string, answer: () => Status = () => success): ReservePlugin => ({
    name,
    reserve: (_, pod, nodeName) => {
      diary.push(`reserve ${name} ${pod.metadata.name} ${nodeName}`);
      return answer();
    },
    unreserve: (_, pod, nodeName) => {
      diary.push(`unreserve ${name} ${pod.metadata.name} ${nodeName}`);
    },
  });

  test('calls each reserve plugin in turn', () => {
    const diary: string[] = [];
    const plugins = [reserving(diary, 'a'), reserving(diary, 'b')];
    runReservePluginsReserve({ reserve: plugins, filtering }, state, web);
    expect(diary).toEqual(['reserve a web node-1', 'reserve b web node-1']);
  });

  test('undoes with all plugins in reverse order when a plugin refuses or throws', () => {
    const undone = ['unreserve c web node-1', 'unreserve b web node-1', 'unreserve a web node-1'];
    const no = unschedulable('no');
    for (const answer of [() => no, explode]) {
      const diary: string[] = [];
      const plugins = [reserving(diary, 'a'), reserving(diary, 'b', answer), reserving(diary, 'c')];
      const run = () => runReservePluginsReserve({ reserve: plugins, filtering }, state, web);
      expect(run).toThrow(answer === explode ? 'out of order' : '0/1: no');
      expect(diary).toEqual(['reserve a web node-1', 'reserve b web node-1', ...undone]);
    }
    const diary: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => reserving(diary, name));
    runReservePluginsUnreserve(all, state, web);
    expect(diary).toEqual(undone);
  });

  test('binds through the server, and only the pod with this uid', async () => {
    await using cluster = await createCluster();
    const { metadata, spec } = aSchedulingPod({ name: 'web' });
    const pod = await cluster.admin.create(pods, {
      metadata: { name: metadata.name, namespace: 'default' },
      spec,
    });
    const nodeOf = () => (cluster.storage.get(pods, keyOf(pod)) as Pod | undefined)?.spec.nodeName;
    const binder = defaultBinder(cluster.admin);
    expect(binder.name).toBe('DefaultBinder');
    const other = { ...pod, metadata: { ...pod.metadata, uid: 'another' } };
    await expect(binder.bind(state, other, 'node-1')).rejects.toThrow(/Precondition failed: UID/);
    expect(nodeOf() ?? '').toBe('');
    expect((await binder.bind(state, pod, 'node-1')).code).toBe('Success');
    expect(nodeOf()).toBe('node-1');
    await expect(binder.bind(state, pod, 'node-2')).rejects.toThrow(/already assigned/);
  });

  test('stops at the first bind plugin that does not skip', async () => {
    const diary: string[] = [];
    const binding = (name: string, answer: () => Status): BindPlugin => ({
      name,
      bind: async (_, pod, nodeName) => {
        diary.push(`${name} ${pod.metadata.name} ${nodeName}`);
        return answer();
      },
    });
    const [a, b, c, d] = [
      binding('a', () => skip),
      binding('b', () => success),
      binding('c', () => unschedulable('no')),
      binding('d', explode),
    ] as const;
    const run = (...plugins: BindPlugin[]) => runBindPlugins(plugins, state, web);
    expect((await run(a, b, c)).code).toBe('Success');
    expect(diary).toEqual(['a web node-1', 'b web node-1']);
    expect(await run(a, c, b)).toEqual(unschedulable('no'));
    expect((await run(a)).code).toBe('Skip');
    expect((await run()).code).toBe('Skip');
    diary.length = 0;
    await expect(run(a, d, b)).rejects.toThrow(/out of order/);
    expect(diary).toEqual(['a web node-1', 'd web node-1']);
  });
});
