/** The key of a plugin's data, with the type of that data. Each plugin creates it once, with {@link stateKey}. */
interface StateKey<T> {
  readonly name: string;
  /** Never set. It carries the type. */
  readonly type?: T;
}

/** @param name by convention the extension point and the plugin: `PreFilterNodePorts` */
export function stateKey<T>(name: string): StateKey<T> {
  return Object.freeze({ name });
}

/**
 * Data that plugins keep while one pod is being scheduled. For example, preFilter counts once, and filter reads the
 * counts for each node. Each scheduling attempt has a new CycleState.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/cycle_state.go CycleState
 *
 * @example
 * const counts = stateKey<Map<string, number>>('PreFilterPodTopologySpread');
 * state.write(counts, new Map([['zone-a', 3]])); // in preFilter
 * state.read(counts).get('zone-a'); // in filter: 3
 */
export class CycleState {
  readonly #data = new Map<StateKey<unknown>, unknown>();
  /** The plugins whose preFilter returned `Skip`. The scheduler does not call their filter. */
  readonly skipFilterPlugins = new Set<string>();
  /** The plugins whose preScore returned `Skip`. The scheduler does not call their score. */
  readonly skipScorePlugins = new Set<string>();

  write<T>(key: StateKey<T>, value: T): void {
    this.#data.set(key, value);
  }

  /** @throws Error when no data was written under this key in this cycle */
  read<T>(key: StateKey<T>): T {
    const value = this.#data.get(key);
    if (value !== undefined || this.#data.has(key)) return value as T;
    throw new Error(
      `Failed to read ${key.name} from the cycle's state: it was not written. Write it in preFilter or preScore, which run before.`,
    );
  }
}
