import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyValueStore } from '../../../contracts/store/index.ts';
import { type Etcd, etcdVersion, NO_ETCD, startEtcd } from '../../../etcd/etcd.ts';
import { EtcdStore } from '../../../etcd/etcd-store.ts';
import { readingOf } from '../oracle/reading.ts';
import type { StoreScenario } from '../scenario/index.ts';
import { leaseWorkloads, workloads } from '../workloads/index.ts';
import { rebased } from './rebased.fixture.ts';
import { runForReal } from './run-for-real.fixture.ts';

const version = etcdVersion();
const HISTORIES = 60;

describe.skipIf(!version)(
  version ? `The laws of a key-value store, on etcd ${version}` : `The laws on etcd: ${NO_ETCD}`,
  () => {
    let etcd: Etcd;
    beforeAll(async () => {
      etcd = await startEtcd();
    });
    afterAll(() => etcd[Symbol.asyncDispose]());

    test.each([...workloads, ...leaseWorkloads])(
      '$name: etcd keeps all laws',
      async ({ name, scenarios }) => {
        const store = new EtcdStore(etcd.url);
        const { seed = 12 } = fc.readConfigureGlobal();
        for (const [i, scenario] of fc.sample(scenarios, { numRuns: HISTORIES, seed }).entries()) {
          // The revision after this put is compacted in no history before.
          const { revision } = await store.transact({ then: [{ put: { key: 'between', value: '' } }] });
          const part = { prefix: `${name}-${i}/`, offset: revision - 1 };
          const history = await runForReal(rebased(store, part), scenario);
          const violations = [...readingOf(history).violations.values()].flat();
          expect(
            violations.map(({ message }) => message),
            `${fc.stringify(scenario)}\n${history.timeline().join('\n')}`,
          ).toEqual([]);
        }
        store.close();
      },
    );

    test('An etcd whose answers come from the past is refused', async () => {
      const store = new EtcdStore(etcd.url);
      const { seed = 12 } = fc.readConfigureGlobal();
      const [scenario] = fc.sample(workloads[1]?.scenarios as (typeof workloads)[0]['scenarios'], {
        numRuns: 1,
        seed,
      });
      const { revision } = await store.transact({ then: [{ put: { key: 'between', value: '' } }] });
      const fresh = rebased(store, { prefix: 'late/', offset: revision - 1 });
      const late: KeyValueStore = {
        ...fresh,
        range: (request) => fresh.range({ ...request, revision: request.revision ?? 1 }),
      };
      const history = await runForReal(late, scenario as StoreScenario);
      expect([...readingOf(history).violations.keys()]).not.toEqual([]);
      store.close();
    });
  },
);
