import type { ClusterView, PodView } from '../protocol/view.ts';
import type { RunStore } from './store.ts';

/** The speed while controllers answer each other, until each pod has a node: about 40 ms. */
export const SLOWEST = 0.01;
/** The speed while kubelets start pods: about a second. */
export const SLOW = 0.05;

/** The virtual time after which slow motion ends if nothing begins, and if it does not end. */
const BEGINS_MS = 300;
const ENDS_MS = 3_000;

/** What slow motion needs. */
export interface SlowMotionOptions {
  readonly store: RunStore;
  /** Plays at a speed. It resolves when the run does. */
  readonly playAt: (speed: number) => Promise<void>;
  /** Returns the speed that the reader has chosen last. */
  readonly speedNow: () => number;
  /** Called with each speed of slow motion, and with undefined when it ends. */
  readonly onSpeed: (speed: number | undefined) => void;
}

/**
 * Plays in slow motion until the pods of the user are ready, then at speed 1, unless the reader has paused or chosen
 * another speed meanwhile.
 */
export async function playSlowly({ store, playAt, speedNow, onSpeed }: SlowMotionOptions): Promise<void> {
  let speed = SLOWEST;
  let hasBegun = false;
  onSpeed(speed);
  await playAt(speed);
  const fromMs = store.state.nowMs;
  const leave = store.subscribe(() => {
    const { nowMs, phase, view } = store.state;
    const isTaken = phase !== 'playing' || speedNow() !== speed || nowMs < fromMs;
    const wanted = view ? speedFor(view) : 1;
    hasBegun ||= wanted < 1;
    const isOver = nowMs >= fromMs + (hasBegun ? ENDS_MS : BEGINS_MS);
    const next = isOver ? 1 : hasBegun ? Math.max(speed, wanted) : speed;
    if (!isTaken && next === speed) return;
    if (isTaken || next === 1) {
      leave();
      onSpeed(undefined);
    } else onSpeed(next);
    if (isTaken) return;
    speed = next;
    void playAt(next);
  });
}

/** Returns the speed that shows what the pods of the user do: 1 if all of them are ready. */
export function speedFor({ deployments, nodes, pending }: ClusterView): number {
  const isMissing = deployments
    .filter(isOwn)
    .some(({ desired, replicaSets }) => replicaSets.reduce((sum, { current }) => sum + current, 0) < desired);
  if (isMissing || pending.some(isOwn)) return SLOWEST;
  const isStarting = ({ isReady, phase }: PodView): boolean => !isReady && phase !== 'Succeeded';
  return nodes.some(({ pods }) => pods.some((pod) => isOwn(pod) && isStarting(pod))) ? SLOW : 1;
}

function isOwn({ namespace }: { readonly namespace: string }): boolean {
  return namespace !== 'kube-system';
}
