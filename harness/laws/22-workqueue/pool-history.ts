import type { PoolScenario } from './pool-scenario.ts';

/** One thing that workers did, or that was done to them, in the order in which it happened. */
export type PoolEntry = { readonly atMs: number } & (
  | { readonly kind: 'add'; readonly item: string }
  /** `sync` is called. */
  | { readonly kind: 'begin'; readonly item: string }
  /** It resolves or fails, with this. */
  | { readonly kind: 'success'; readonly item: string }
  | { readonly kind: 'failure'; readonly item: string; readonly error: unknown }
  | { readonly kind: 'told'; readonly item: string; readonly error: unknown }
  /** As many items were added at once as there are workers. */
  | { readonly kind: 'muster' }
  | { readonly kind: 'abort' }
  /** `runWorkers` resolved, or rejected. */
  | { readonly kind: 'returned' }
  | { readonly kind: 'rejected'; readonly error: unknown }
);

/** One life of the workers of a queue, from before the first add until long after the abort. */
export interface PoolHistory {
  readonly entries: readonly PoolEntry[];
  readonly scenario: PoolScenario;
  /** Equal for equal runs. */
  readonly hash: string;
  /** The whole of it, drawn. */
  timeline(): readonly string[];
}
