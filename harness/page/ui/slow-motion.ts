import type { RunStore } from './store.ts';

/** The speed of slow motion. */
export const SLOW = 0.01;

/** The virtual time that it lasts: the time in which the controllers answer each other. */
export const SLOW_MS = 40;

/** What slow motion needs. */
export interface SlowMotionOptions {
  readonly store: RunStore;
  /** Plays at a speed. It resolves when the run does. */
  readonly playAt: (speed: number) => Promise<void>;
  /** Returns the speed that the reader has chosen last. */
  readonly speedNow: () => number;
}

/**
 * Plays in slow motion for {@link SLOW_MS}, then at speed 1, unless the reader has paused or chosen another speed
 * meanwhile.
 */
export async function playSlowly({ store, playAt, speedNow }: SlowMotionOptions): Promise<void> {
  await playAt(SLOW);
  const fromMs = store.state.nowMs;
  const leave = store.subscribe(() => {
    const { nowMs, phase } = store.state;
    if (nowMs >= fromMs && nowMs < fromMs + SLOW_MS) return;
    leave();
    if (phase === 'playing' && speedNow() === SLOW) void playAt(1);
  });
}
