import { namespaces } from '../../api/resource.ts';
import type { KeyValueStore } from '../../contracts/store/index.ts';
import { type Clock, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { MirroredStorage, type MirrorOptions } from './mirrored-storage.ts';

/** An apiserver on a key-value store. */
export interface MirroredServer<C extends Clock> {
  readonly server: ApiServer;
  readonly mirror: MirroredStorage;
  readonly clock: C;
  /** Ends the apiserver. */
  end(): void;
}

/** Starts an apiserver on a key-value store, which may have objects already. */
export async function serverOn<C extends Clock>(
  store: KeyValueStore,
  clock: C,
  options: Partial<MirrorOptions> & { readonly seed?: number } = {},
): Promise<MirroredServer<C>> {
  const ending = new AbortController();
  const mirror = await MirroredStorage.open({ store, clock, signal: ending.signal, ...options });
  const server = new ApiServer({ clock, random: seededRandom(options.seed ?? 1), store: mirror });
  return { server, mirror, clock, end: () => ending.abort() };
}

/** Creates the namespace `default`. */
export async function createDefault({ server }: { readonly server: ApiServer }): Promise<void> {
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
}
