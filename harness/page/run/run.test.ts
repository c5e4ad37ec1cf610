import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Access } from '../../contracts/access/index.ts';
import type { Components } from '../../contracts/component.ts';
import type { Recipe } from '../protocol/recipe.ts';
import { type Implementations, onlyReference } from './parts.ts';
import { Run, runRecipe } from './run.ts';

const { components } = (await import('#components')) as { readonly components: Components };
const reference = onlyReference(components);
// Without CoreDNS, a cluster begins in half the time.
const { dns, ...others } = components;
const withoutNames = others as Components;
const light = onlyReference(withoutNames);
const manifest = readFileSync('docs/web.yaml', 'utf8');
const apply = { do: 'kubectl', line: 'apply -f -', manifest } as const;

const readyPods = ({ cluster }: Run): number =>
  (cluster.storage.list(pods) as Pod[]).filter((pod) => pod.metadata.namespace === 'default' && isReady(pod))
    .length;

/** A recipe with actions of most kinds. */
const recipe: Recipe = {
  seed: 7,
  nodes: 3,
  actions: [
    { atMs: 0, ...apply },
    { atMs: 1_500, do: 'fault', fault: { fault: 'cut-watches', process: 'replicaset-controller' } },
    { atMs: 1_500, do: 'kill', process: 'default-scheduler', restartAfterMs: 700 },
    { atMs: 4_000, do: 'fault', fault: { fault: 'node-death', node: 'node-2' } },
    { atMs: 9_000, do: 'request', from: 'laptop', url: 'http://192.168.0.1:30080/' },
    { atMs: 12_345, do: 'power-on', node: 'node-2' },
    { atMs: 14_000, do: 'fill-disk', node: 'node-3', percent: 96 },
    { atMs: 20_000, do: 'fill-disk', node: 'node-3', percent: 0 },
  ],
};

describe('A run', () => {
  it('starts with a cluster whose own workloads are available', async () => {
    await using run = await Run.begin({ seed: 1, nodes: 2 }, reference);
    expect(run.nowMs).toBe(0);
    expect((run.cluster.storage.list(pods) as Pod[]).every(isReady)).toBe(true);
  });

  it('is the same however the caller divides its time', async () => {
    await using whole = await runRecipe(recipe, reference, 30_000);
    await using pieces = await Run.begin(recipe, reference);
    pieces.expect(recipe.actions);
    let tasks = 0;
    while (pieces.nowMs < 30_000)
      await pieces.advance(Math.min(30_000, pieces.nowMs + 997), () => ++tasks % 50 === 0);
    await pieces.advance(30_000);
    expect(pieces.cluster.trace.hash()).toBe(whole.cluster.trace.hash());
  });

  it('is the same when its actions happen live, in the middle of an instant', async () => {
    await using live = await Run.begin({ seed: 3, nodes: 3 }, light);
    let tasks = 0;
    await live.act(apply);
    for (const fault of ['cut-watches', 'cut-watches', 'crash'] as const) {
      await live.advance(live.nowMs + 60_000, () => ++tasks % 333 === 0);
      await live.act({
        do: 'fault',
        fault:
          fault === 'crash'
            ? { fault, process: 'deployment-controller', skip: 1, performed: true, restartAfterMs: 100 }
            : { fault, process: 'kubelet-node-1' },
      });
    }
    await live.advance(live.nowMs + 20_000);
    await using again = await runRecipe(live.recipe, light, live.nowMs);
    expect(again.cluster.trace.hash()).toBe(live.cluster.trace.hash());
    expect(readyPods(again)).toBe(3);
  });

  it('drops the actions to come when the user acts', async () => {
    await using run = await Run.begin({ seed: 1, nodes: 1 }, light);
    run.expect([{ atMs: 500, do: 'heal' }]);
    await run.advance(100);
    await run.act({ do: 'heal' });
    expect(run.recipe.actions).toEqual([{ atMs: 100, do: 'heal' }]);
  });

  it('refuses an impossible action and keeps it out of the recipe', async () => {
    await using run = await Run.begin({ seed: 1, nodes: 1 }, light);
    const impossible = [
      [{ do: 'kill', process: 'kubelet-node-9', restartAfterMs: 0 }, 'kubelet-node-9'],
      [{ do: 'fault', fault: { fault: 'cut-watches', process: 'nobody' } }, 'nobody'],
      [{ do: 'fault', fault: { fault: 'node-death', node: 'node-9' } }, 'node-9'],
      [{ do: 'power-on', node: 'node-1' }, 'it is on'],
      [{ do: 'request', from: 'web-1', url: 'http://10.96.0.1/' }, 'web-1'],
      [{ do: 'request', from: 'laptop', url: 'http://shop/' }, 'shop'],
      [{ do: 'type', into: 4 }, 'command 4'],
      [{ do: 'use', part: 'kubelet', version: 1 }, '41-kubelet'],
    ] as const;
    for (const [action, named] of impossible) await expect(run.act(action)).rejects.toThrow(named);
    expect(run.recipe.actions).toEqual([]);
  });

  it('replaces a part while it runs, and goes back to the reference', async () => {
    const started: string[] = [];
    const implementations: Implementations = {
      reference: withoutNames,
      own: (part, version) => {
        const original = components[part];
        const own: unknown = (...args: readonly unknown[]) => {
          started.push(`${part} ${version}`);
          return (original as (...args: readonly unknown[]) => unknown)(...args);
        };
        return own as typeof original;
      },
    };
    await using run = await Run.begin({ seed: 1, nodes: 2 }, implementations);
    await run.act({ do: 'use', part: 'replicaSetController', version: 2 });
    await run.act({ do: 'use', part: 'ipam', version: 1 });
    await run.act(apply);
    await run.advance(20_000);
    expect(new Set(started)).toEqual(new Set(['replicaSetController 2', 'ipam 1']));
    expect(run.parts.ownerOf('replicaSetController')).toBe('yours');
    expect(readyPods(run)).toBe(3);
    await run.act({ do: 'use', part: 'replicaSetController', version: 'reference' });
    expect(run.parts.ownerOf('replicaSetController')).toBe('reference');
  });

  it("applies with the learner's apply from the next command on", async () => {
    const own: Components['apply'] = async (_, documents) => ({
      applied: [],
      warnings: [`${documents.length} documents`],
      errors: [],
    });
    const implementations: Implementations = { reference: withoutNames, own: () => own as never };
    await using run = await Run.begin({ seed: 1, nodes: 1 }, implementations);
    await run.act({ do: 'use', part: 'apply', version: 1 });
    await run.act(apply);
    await run.advance(run.nowMs + 1_000);
    expect(run.output.map(({ text }) => text).join('')).toBe('Warning: 2 documents\n');
    expect(run.parts.ownerOf('apply')).toBe('yours');
  });

  it("asks the learner's access control and admission from the next request on, and restarts no process", async () => {
    const access: Components['access'] = () =>
      ({ authorize: () => ({ verdict: 'deny', reason: 'mine' }) }) as unknown as Access;
    const admission: Components['admission'] = () => ({
      admit: async ({ object }) => object,
      validate: () => Promise.reject(errors.forbidden(pods, 'web', 'mine')),
    });
    const implementations: Implementations = {
      reference: withoutNames,
      own: (part) => ({ access, admission })[part as 'access'] as never,
    };
    await using run = await Run.begin({ seed: 1, nodes: 1 }, implementations);
    const starts = (): number => run.cluster.trace.entries.filter(({ verb }) => verb === 'start').length;
    const before = starts();
    await run.act({ do: 'use', part: 'access', version: 1 });
    const refused = await run.readWith('get pods');
    expect(refused).toMatchObject({
      exitCode: 1,
      requests: [{ text: 'list pods in default', refusal: 'Forbidden' }],
    });
    expect(refused.output).toContain('mine');
    await run.act({ do: 'use', part: 'access', version: 'reference' });
    expect(await run.readWith('get pods')).toMatchObject({ exitCode: 0 });
    await run.act({ do: 'use', part: 'admission', version: 1 });
    await run.act({ do: 'kubectl', line: 'run web --image=nginx' });
    await run.advance(run.nowMs + 1_000);
    expect(run.output.map(({ text }) => text).join('')).toContain('"web" is forbidden: mine');
    expect(run.output.at(-1)?.requests).toMatchObject([
      { text: 'create pods in default', refusal: 'Forbidden' },
    ]);
    expect(starts()).toBe(before);
  });

  it("moves the objects to the learner's store and back, and nobody notices", async () => {
    const started: number[] = [];
    const implementations: Implementations = {
      reference: components,
      own: (part, version) => {
        const store: Components['keyValueStore'] = (context) => {
          started.push(version);
          return components.keyValueStore(context);
        };
        return (part === 'keyValueStore' ? store : components[part]) as never;
      },
    };
    await using run = await Run.begin({ seed: 1, nodes: 1 }, implementations);
    await run.act(apply);
    await run.advance(20_000);
    const use = async (version: number | 'reference'): Promise<void> => {
      const { ended } = await run.act({ do: 'use', part: 'keyValueStore', version });
      await run.advance(run.nowMs + 1);
      await ended;
    };
    const scale = async (replicas: number): Promise<void> => {
      await run.act({ do: 'kubectl', line: `scale deployment web --replicas=${replicas}` });
      await run.advance(run.nowMs + 60_000);
      expect(readyPods(run)).toBe(replicas);
    };
    const read = async () => (await run.readWith('get pods,deployments -A -o yaml')).output;
    const before = await read();
    const starts = run.cluster.trace.entries.filter(({ verb }) => verb === 'start').length;
    await use(1);
    expect(run.cluster.isInStore).toBe(true);
    expect(await read()).toBe(before);
    await scale(5);
    await use(2);
    await scale(4);
    expect(started).toEqual([1, 2]);
    await use('reference');
    expect(run.cluster.isInStore).toBe(false);
    await scale(2);
    await use(3);
    await scale(3);
    expect(run.cluster.trace.entries.filter(({ verb }) => verb === 'start').length).toBe(starts);
    expect(run.cluster.trace.entries.filter(({ verb }) => verb === 'crash')).toEqual([]);
  });

  it("keeps the objects where they are if the learner's store cannot take them", async () => {
    const keyValueStore: Components['keyValueStore'] = async (context) => ({
      ...(await components.keyValueStore(context)),
      transact: async () => ({ revision: 1, succeeded: true, results: [] }),
    });
    const implementations: Implementations = {
      reference: components,
      own: (part) => (part === 'keyValueStore' ? keyValueStore : components[part]) as never,
    };
    await using run = await Run.begin({ seed: 1, nodes: 1 }, implementations);
    const { ended } = await run.act({ do: 'use', part: 'keyValueStore', version: 1 });
    await run.advance(run.nowMs + 1);
    await ended;
    expect(run.output.at(-1)).toMatchObject({
      text: 'Failed to move the objects to your store: its write number 1 has revision 1, not 2. They stay in the memory of the apiserver.',
      isError: true,
    });
    expect([run.cluster.isInStore, run.parts.ownerOf('keyValueStore')]).toEqual([false, 'reference']);
    expect(await run.readWith('get nodes')).toMatchObject({ exitCode: 0 });
  });
});
