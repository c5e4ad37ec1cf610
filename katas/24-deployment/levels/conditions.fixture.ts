import type { DeploymentCondition } from '#given/24-deployment';
import { formatTime } from '#harness';

/** It is now. */
export const NOW_MS = Date.UTC(2026, 3, 22) + 1_000_000;

/** Returns the time `secondsAgo` seconds before now. */
export const at = (secondsAgo: number): string => formatTime(NOW_MS - secondsAgo * 1_000);

/** A condition that is this many seconds old. */
export const conditionOf = (
  type: string,
  status: string,
  reason: string,
  secondsAgo = 100,
): DeploymentCondition => ({
  type,
  status,
  reason,
  message: 'old',
  lastUpdateTime: at(secondsAgo),
  lastTransitionTime: at(secondsAgo),
});

/** Conditions without their texts and times. */
export const summariesOf = (conditions: readonly DeploymentCondition[] = []) =>
  conditions.map(({ type, status, reason }) => ({ type, status, reason }));
