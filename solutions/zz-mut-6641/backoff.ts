/** Level 2 · The delay after failures. */
import {
  type BackoffLimits,
  type BackoffRecord,
  type Ended,
  finishTimeMs,
  POD_FAILURE_BACKOFF,
} from '#given/65-job';

export function nextBackoff(record: BackoffRecord, { succeeded, failed }: Ended): BackoffRecord {
  const lastSuccessMs = Math.max(...succeeded.map(finishTimeMs), Number.NEGATIVE_INFINITY);
  const later = failed.map(finishTimeMs).filter((endMs) => endMs > lastSuccessMs);
  const before = succeeded.length > 0 ? { failures: 0 } : record;
  if (later.length === 0) return before;
  return { failures: before.failures + later.length, lastFailureMs: Math.max(...later) };
}

export function remainingBackoffMs(
  { failures, lastFailureMs = 0 }: BackoffRecord,
  nowMs: number,
  { baseMs, maxMs }: BackoffLimits = POD_FAILURE_BACKOFF,
): number {
  if (failures === 0) return 0;
  const delayMs = Math.min(baseMs * 2 ** (failures - 1), maxMs);
  return Math.max(0, delayMs - (nowMs - lastFailureMs));
}
