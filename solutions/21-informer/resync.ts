/** Level 6 · The informer: how often its handlers are told of everything again. */

export interface ResyncPeriods {
  /** How often the informer asks whether any handler is due. */
  readonly checkPeriodMs: number;
  /** How often the handler that joined is told of everything again; 0: never. */
  readonly handlerPeriodMs: number;
}

const RESYNC_MS_MIN = 1_000;

export function joinResync(checkPeriodMs: number, requestedMs: number, started: boolean): ResyncPeriods {
  // An informer that never looks finds nobody due.
  if (requestedMs === 0 || checkPeriodMs === 0) return { checkPeriodMs, handlerPeriodMs: 0 };
  const wantedMs = Math.max(requestedMs, RESYNC_MS_MIN);
  if (started) return { checkPeriodMs, handlerPeriodMs: Math.max(wantedMs, checkPeriodMs) };
  return { checkPeriodMs: Math.min(checkPeriodMs, wantedMs), handlerPeriodMs: wantedMs };
}
