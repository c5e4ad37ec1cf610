import type { Program } from './program.ts';

/**
 * The first process of a sandbox: it does nothing, and exits on SIGTERM or SIGINT.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 build/pause/linux/pause.c main
 */
export const pause: Program = ({ onSignal, exit }) => {
  onSignal('SIGTERM', () => exit(0));
  onSignal('SIGINT', () => exit(0));
  return forever();
};

/** Never resolves, for programs that only exit on a signal. */
export function forever(): Promise<never> {
  return new Promise(() => {});
}
