import type { Components } from '../../contracts/component.ts';
import { MemoryLog } from '../../contracts/store/memory-log.ts';
import { seededRandom } from '../../sim/index.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { ApiServer } from '../apiserver.ts';
import { serverOn } from '../mirror/mirrored.fixture.ts';
import { SwitchedStorage } from '../mirror/switched-storage.ts';
import { Storage } from './storage.ts';
import { describeStorageContract } from './storage-contract.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Opens the reference's store, empty and in memory. */
const referenceStore = () =>
  components.keyValueStore({
    clock: new ManualClock(),
    log: new MemoryLog(),
    signal: new AbortController().signal,
  });

describeStorageContract('A storage in this process', async () => {
  const storage = new Storage();
  const clock = new ManualClock();
  const [one, other] = [1, 2].map((seed) => new ApiServer({ clock, storage, random: seededRandom(seed) }));
  return { one: one as ApiServer, other: other as ApiServer, async [Symbol.asyncDispose]() {} };
});

describeStorageContract('A storage on a key-value store', async () => {
  const store = await referenceStore();
  const one = await serverOn(store, new ManualClock(), { seed: 1 });
  const other = await serverOn(store, new ManualClock(), { seed: 2 });
  return {
    one: one.server,
    other: other.server,
    async [Symbol.asyncDispose]() {
      one.end();
      other.end();
    },
  };
});

describeStorageContract('A storage that has moved to a key-value store', async () => {
  const switched = new SwitchedStorage();
  const clock = new ManualClock();
  const [one, other] = [1, 2].map(
    (seed) => new ApiServer({ clock, store: switched, random: seededRandom(seed) }),
  );
  await switched.toStore(referenceStore, { clock });
  return {
    one: one as ApiServer,
    other: other as ApiServer,
    async [Symbol.asyncDispose]() {
      switched.end();
    },
  };
});
