import { afterAll, beforeAll, describe } from 'vitest';
import { createDefault, serverOn } from '../apiserver/mirror/mirrored.fixture.ts';
import { describeStorageContract } from '../apiserver/storage/storage-contract.ts';
import { describeClientContract } from '../client/contract/client-contract.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type Etcd, etcdVersion, NO_ETCD, startEtcd } from './etcd.ts';
import { EtcdStore } from './etcd-store.ts';

const version = etcdVersion();

describe.skipIf(!version)(
  version ? `Apiservers on etcd ${version}` : `Apiservers on etcd: ${NO_ETCD}`,
  () => {
    let etcd: Etcd;
    beforeAll(async () => {
      etcd = await startEtcd();
    });
    afterAll(() => etcd[Symbol.asyncDispose]());

    /** Deletes everything. A test continues at a later revision, which must not matter to it. */
    const emptyStore = async (): Promise<EtcdStore> => {
      const store = new EtcdStore(etcd.url);
      await store.transact({ then: [{ delete: { key: '\0', end: '\x7f' } }] });
      return store;
    };

    describeStorageContract('Two apiservers', async () => {
      const store = await emptyStore();
      const one = await serverOn(store, new ManualClock(), { seed: 1 });
      const other = await serverOn(store, new ManualClock(), { seed: 2 });
      return {
        one: one.server,
        other: other.server,
        async [Symbol.asyncDispose]() {
          one.end();
          other.end();
          store.close();
        },
      };
    });

    describeClientContract('One apiserver', async () => {
      const store = await emptyStore();
      const served = await serverOn(store, new ManualClock());
      await createDefault(served);
      const { server, mirror, clock } = served;
      return {
        client: server,
        compact: () => mirror.storage.compact(mirror.storage.revision),
        advance: (ms) => clock.advance(ms),
        async [Symbol.asyncDispose]() {
          served.end();
          store.close();
        },
      };
    });
  },
);
