import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configMaps, namespaces } from '../api/resource.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { runSecuredControllers } from '../cluster/controllers/index.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { fetchFrom } from '../mount/fetch.ts';
import { ADMIN } from '../serving/cluster-pki.ts';
import { AS_SERVED } from '../serving/serve-cluster.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours } from './behaviours.ts';
import { runBehaviours } from './run.ts';
import type { Target } from './target.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Behaviours of every part of a cluster. `npm run parity` runs all of them. */
const chosen = [
  'A created object gets a UID, a time, a resource version and its namespace',
  'A watch from a version brings each later change',
  'A strategic merge patch merges containers by name',
  'A field of another manager conflicts',
  'A second volume of the same name is invalid',
  'Of nodes with the sizes 1 and 5, Gt 3 matches 5',
  'In the background, dependents are deleted after their owner',
  'A named target port is the port of each pod',
  'A failed liveness probe restarts a container',
];

/** A cluster in virtual time, reached without a network. */
function targetIn(cluster: Cluster): Target {
  const kubelets = kubeletServers(cluster);
  const handler = createHandler(cluster.replica().server.as(ADMIN.name), { kubelets });
  return { url: 'http://cluster', fetch: fetchFrom(handler), clock: cluster.clock };
}

describe('In virtual time', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    ({ cluster } = await createWholeCluster({ ...AS_SERVED, components, nodes: 1, names: false }));
    runSecuredControllers(cluster);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  const resultsOf = async (among: readonly Behaviour[]) => {
    const outcomes = await cluster.settle(runBehaviours(targetIn(cluster), among));
    return outcomes.map(({ behaviour, ...outcome }) => ({ name: behaviour.name, ...outcome }));
  };

  test('our cluster behaves as expected', async () => {
    const among = behaviours.filter(({ name }) => chosen.includes(name));
    expect(await resultsOf(among)).toEqual(among.map(({ name }) => ({ name, result: 'same' })));
    expect(among).toHaveLength(chosen.length);
  });

  const behaviour = (name: string, parts: Partial<Behaviour>): Behaviour => ({
    area: 'Test',
    source: '',
    needs: [],
    check: async () => {},
    name,
    ...parts,
  });

  test('a result that differs, or does not come, is reported with its values', async () => {
    const of = { metadata: { name: 'a' } };
    const [different, never, broken, skipped] = await resultsOf([
      behaviour('different', {
        check: async (api) => void (await api.create(configMaps, of).answers(201, { data: { k: 'v' } })),
      }),
      behaviour('never', {
        check: async (api) => {
          await api.made(configMaps, of);
          await api.get(configMaps, 'a').becomes({ data: {} }, { never: of });
        },
      }),
      behaviour('broken', { check: () => Promise.reject(new TypeError('a fault of the check')) }),
      behaviour('skipped', { needs: ['streams'] }),
    ]);
    const observed = { path: 'data', observed: 'no value' };
    expect(different).toMatchObject({
      result: 'different',
      mismatches: [{ ...observed, expected: '{"k":"v"}' }],
    });
    expect(never).toMatchObject({ result: 'different', mismatches: [{ ...observed, expected: '{}' }] });
    expect(broken).toMatchObject({
      result: 'broken',
      subject: expect.stringContaining('a fault of the check'),
    });
    expect(skipped).toEqual({ name: 'skipped', result: 'skipped', subject: 'streams' });
  });

  test('a result that does not come in time leaves a behaviour undecided', async () => {
    const [outcome] = await resultsOf([
      behaviour('late', {
        check: async (api) => {
          await api.made(configMaps, { metadata: { name: 'a' } });
          await api.get(configMaps, 'a').goes({ seconds: 5 });
        },
      }),
    ]);
    expect(outcome).toMatchObject({ result: 'undecided', mismatches: [{ path: 'code', expected: '404' }] });
  });

  test('each behaviour has a new namespace, which is deleted afterwards', async () => {
    const used: string[] = [];
    const check: Behaviour['check'] = async (api) => void used.push(api.namespace);
    await resultsOf([behaviour('one', { check }), behaviour('two', { check })]);
    expect(new Set(used).size).toBe(2);
    await cluster.runFor(15_000);
    const { items } = await cluster.admin.list(namespaces);
    expect(items.filter(({ metadata }) => metadata.name.startsWith('parity-'))).toEqual([]);
  });
});
