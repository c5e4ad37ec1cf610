/** The scale of the time line: it begins at 0, and its end changes rarely, so that marks stay where they are. */
export interface Scale {
  /** Virtual ms at the right end. */
  readonly toMs: number;
  /** Virtual ms between two labels. */
  readonly stepMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between labels that read well. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((one) => one * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((one) => one * MINUTE),
  ...[1, 2, 3, 6, 12].map((one) => one * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100].map((one) => one * DAY),
];

/**
 * Returns the scale of a run that has reached `endMs`. It leaves some room on the right.
 *
 * @param labels the number of labels that the width of the time line has room for
 */
export function scaleFor(endMs: number, labels: number): Scale {
  const wanted = Math.max(endMs * 1.06, 30 * SECOND);
  const room = Math.max(2, labels);
  const stepMs = steps.find((step) => Math.ceil(wanted / step) <= room) ?? 100 * DAY;
  return { toMs: Math.ceil(wanted / stepMs) * stepMs, stepMs };
}

/**
 * Returns the time under the pointer. Near the end, and behind it, this is the end itself.
 *
 * @param share the position on the time line, 0 to 1
 * @param toMs the time at the right end of the scale
 * @param endMs the end of the run
 * @param snapMs the distance from the end that counts as the end
 */
export function timeAtShare({
  share,
  toMs,
  endMs,
  snapMs,
}: {
  readonly share: number;
  readonly toMs: number;
  readonly endMs: number;
  readonly snapMs: number;
}): number {
  const ms = Math.max(0, share) * toMs;
  return ms > endMs - snapMs ? endMs : ms;
}

/** Returns the times of the labels, without the right end. */
export function ticksOf({ toMs, stepMs }: Scale): readonly number[] {
  return Array.from({ length: Math.round(toMs / stepMs) }, (_, index) => index * stepMs);
}
