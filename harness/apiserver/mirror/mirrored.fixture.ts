import { namespaces } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import type { KeyValueStore } from '../../contracts/store/index.ts';
import { MemoryLog } from '../../contracts/store/memory-log.ts';
import { seededRandom } from '../../sim/index.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { ApiServer } from '../apiserver.ts';
import { MirroredStorage, type MirrorOptions } from './mirrored-storage.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Opens the reference's key-value store, empty and in memory. */
export function referenceStore(
  clock = new ManualClock(),
  signal = new AbortController().signal,
): Promise<KeyValueStore> {
  return components.keyValueStore({ clock, log: new MemoryLog(), signal });
}

/** An apiserver on a key-value store. */
export interface MirroredServer {
  readonly server: ApiServer;
  readonly mirror: MirroredStorage;
  readonly clock: ManualClock;
  /** Ends the apiserver. */
  end(): void;
}

/** Starts an apiserver on a key-value store, which may have objects already. */
export async function serverOn(
  store: KeyValueStore,
  options: Partial<MirrorOptions> & { readonly seed?: number } = {},
): Promise<MirroredServer> {
  const clock = new ManualClock();
  const ending = new AbortController();
  const mirror = await MirroredStorage.open({ store, clock, signal: ending.signal, ...options });
  const server = new ApiServer({ clock, random: seededRandom(options.seed ?? 1), store: mirror });
  return { server, mirror, clock, end: () => ending.abort() };
}

/** Creates the namespace `default`. */
export async function createDefault({ server }: Pick<MirroredServer, 'server'>): Promise<void> {
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
}
