import type { ConfigMap, KubeObject, List, New } from '../../api/objects.ts';
import { configMaps, namespaces } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Watch } from '../../contracts/client.ts';
import { Simulation } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { Storage } from '../storage/storage.ts';

/**
 * Apiservers over one storage, with a clock that the test moves. They show behaviour that one apiserver at one instant
 * hides.
 */
export interface World {
  readonly sim: Simulation;
  readonly storage: Storage;
  readonly server: ApiServer;
  /** Another replica over the same storage. */
  readonly other: ApiServer;
}

/** Starts apiservers whose storage has only the namespace `default`, at revision 1. */
export async function world(options: { readonly trackOnCreate?: boolean } = {}): Promise<World> {
  const sim = new Simulation();
  const storage = new Storage();
  const replica = (name: string): ApiServer =>
    new ApiServer({ clock: sim.clock, random: sim.random.fork(name), storage, ...options });
  const [server, other] = [replica('apiserver-0'), replica('apiserver-1')];
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  return { sim, storage, server, other };
}

/** Returns the key of an object in the namespace `default`. */
export const key = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });

/** Returns a ConfigMap in the namespace `default`. */
export function configMap(name: string, data: Record<string, string> = {}): New<ConfigMap> {
  return { metadata: key(name), data };
}

/** Creates them one after the other and returns the last revision. */
export async function createAll({ server }: World, ...names: string[]): Promise<string> {
  let resourceVersion = '';
  for (const name of names)
    ({ resourceVersion } = (await server.create(configMaps, configMap(name))).metadata);
  return resourceVersion;
}

/** Returns the names in a list, in its order. */
export const names = ({ items }: List<KubeObject>): string[] => items.map(({ metadata }) => metadata.name);

/** Returns code, reason and message of a rejected request. Fails if the server accepts it. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('It was not refused.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof StatusError) return `${error.code} ${error.reason}: ${error.message}`;
  throw error;
}

/** Records all events of a watch. */
export function record(watch: Watch<KubeObject>) {
  const events: WatchEvent[] = [];
  const state = { events, over: false };
  void (async () => {
    for await (const event of watch) events.push(event);
    state.over = true;
  })();
  return Object.assign(state, {
    /** `ADDED a@2` */
    told: () =>
      events.map(({ type, object }) => {
        const { name, resourceVersion } = (object as KubeObject).metadata;
        return `${type} ${name ?? ''}@${resourceVersion}`;
      }),
  });
}
