/** The name of something that a plugin writes down, and its type: made once a plugin, by {@link stateKey}. */
interface StateKey<T> {
  readonly name: string;
  /** There is no such field: it carries the type. */
  readonly type?: T;
}

/** @param name by convention the extension point and the plugin: `PreFilterNodePorts` */
export function stateKey<T>(name: string): StateKey<T> {
  return Object.freeze({ name });
}

/**
 * What plugins write down for themselves while one pod is being scheduled: what preFilter has counted, filter need not
 * count for every node again. A new one for each attempt.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/cycle_state.go CycleState
 */
export class CycleState {
  readonly #data = new Map<StateKey<unknown>, unknown>();
  /** The plugins whose preFilter gave `Skip`: the code that runs filters passes them over. */
  readonly skipFilterPlugins = new Set<string>();
  /** The plugins whose preScore gave `Skip`: the code that runs scores passes them over. */
  readonly skipScorePlugins = new Set<string>();

  write<T>(key: StateKey<T>, value: T): void {
    this.#data.set(key, value);
  }

  /** @throws Error when nothing was written under this key in this cycle */
  read<T>(key: StateKey<T>): T {
    const value = this.#data.get(key);
    if (value !== undefined || this.#data.has(key)) return value as T;
    throw new Error(
      `Failed to read ${key.name} from the cycle's state: it was not written. Write it in preFilter or preScore, which run before.`,
    );
  }
}
