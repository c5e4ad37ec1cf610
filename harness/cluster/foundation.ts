import { MirroredStorage } from '../apiserver/mirror/mirrored-storage.ts';
import { atRandom, Simulation, scripted, seededRandom } from '../sim/index.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { ClusterStore } from './component-store.ts';

/** The parts of a cluster on a store that exist before it. */
export interface Foundation {
  readonly sim: Simulation;
  readonly mirror: MirroredStorage;
  /** Ends the store. */
  readonly ending: AbortController;
}

/** Returns the simulation of a cluster. */
export function simulationOf({ seed = 1, schedule, startMs }: ClusterOptions): Simulation {
  const choose = schedule ? scripted(schedule) : atRandom(seededRandom(seed).fork('schedule'));
  return new Simulation({ seed, choose, ...(startMs === undefined ? {} : { startMs }) });
}

/** Opens the store of a cluster. If the store is part of the simulation, that may take virtual time. */
export async function openFoundation(store: ClusterStore, options: ClusterOptions): Promise<Foundation> {
  const sim = simulationOf(options);
  const ending = new AbortController();
  const { signal } = ending;
  const clock = sim.clockFor('etcd');
  const onError = (error: unknown): void => options.onError?.('etcd', error);
  const opening = store
    .open({ clock, signal })
    .then((opened) => MirroredStorage.open({ store: opened, clock, signal, onError }));
  const mirror = await (store.isOutside ? opening : sim.settle(opening));
  return { sim, mirror, ending };
}
