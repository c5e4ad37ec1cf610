import { seededRandom } from '../../sim/index.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { ApiServer } from '../apiserver.ts';
import { referenceStore, serverOn } from '../mirror/mirrored.fixture.ts';
import { Storage } from './storage.ts';
import { describeStorageContract } from './storage-contract.ts';

describeStorageContract('A storage in this process', async () => {
  const storage = new Storage();
  const clock = new ManualClock();
  const [one, other] = [1, 2].map((seed) => new ApiServer({ clock, storage, random: seededRandom(seed) }));
  return { one: one as ApiServer, other: other as ApiServer, async [Symbol.asyncDispose]() {} };
});

describeStorageContract('A storage on a key-value store', async () => {
  const store = await referenceStore();
  const one = await serverOn(store, { seed: 1 });
  const other = await serverOn(store, { seed: 2 });
  return {
    one: one.server,
    other: other.server,
    async [Symbol.asyncDispose]() {
      one.end();
      other.end();
    },
  };
});
