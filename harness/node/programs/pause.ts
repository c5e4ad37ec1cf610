import type { Program } from './program.ts';

/**
 * The first process of a sandbox: it does nothing, and ends when it is asked to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 build/pause/linux/pause.c main
 */
export const pause: Program = ({ onSignal, exit }) => {
  onSignal('SIGTERM', () => exit(0));
  onSignal('SIGINT', () => exit(0));
  return forever();
};

/** For what only ends by a signal. */
export function forever(): Promise<never> {
  return new Promise(() => {});
}
