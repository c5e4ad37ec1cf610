import type { Violation } from '../../../testing/holds.ts';
import type { AskRead, Reading } from '../oracle/reading.ts';
import { answered, isThrottled, podless, podlessPull, textOf, violation } from './answers.ts';

/** The events about the images of containers. */

/** Safety. The events about a container report the outcome of each request, with Kubernetes' messages. */
export function emitsEvents(reading: Reading): readonly Violation[] {
  return answered(reading).flatMap((ask) => {
    const wanted = wantedEvents(ask);
    const given = ask.events.map(({ text }) => text);
    const same = wanted.length === given.length && wanted.every((one, i) => fits(one, given[i] ?? '', ask));
    if (same) return [];
    const stray = podlessPull(reading, ask);
    if (stray) return violation(stray.beganMs, podless(stray));
    const at = wanted.findIndex((one, i) => !fits(one, given[i] ?? '', ask));
    const n = at < 0 ? wanted.length : at;
    const expected = wanted[n] === undefined ? 'no event' : spelled(wanted[n], ask);
    return violation(
      ask.endedMs,
      `event ${n + 1} about the image of ${ask.pod.name} is ${given[n] === undefined ? 'missing' : `"${given[n]}"`}; expected ${expected}`,
    );
  });
}

/** The text of an event, or its beginning if it ends with the duration of a pull. */
type WantedEvent = string;
const TOOK = '<took>';

function wantedEvents({ pod: { image }, refusal, pulls }: AskRead): readonly WantedEvent[] {
  const pulling = `Normal Pulling Pulling image "${image}"`;
  switch (refusal?.reason) {
    case undefined:
      if (pulls.length > 0) return [pulling, `Normal Pulled Successfully pulled image "${image}" in ${TOOK}`];
      return [
        `Normal Pulled Container image "${image}" already present on machine and can be accessed by the pod`,
      ];
    case 'InvalidImageName':
    case 'ImageInspectError':
      return [`Warning InspectFailed ${refusal.message}`];
    case 'ErrImageNeverPull':
      return [`Warning ErrImageNeverPull ${refusal.message}`];
    case 'ImagePullBackOff':
      return [`Normal BackOff Back-off pulling image "${image}"`];
    default: {
      if (pulls.length === 0 && !isThrottled(refusal)) return [];
      const text = pulls.length > 0 ? textOf(pulls) : (refusal?.message ?? '');
      return [pulling, `Warning Failed Failed to pull image "${image}": ${text}`];
    }
  }
}

function fits(wanted: WantedEvent, given: string, ask: AskRead): boolean {
  if (!wanted.endsWith(TOOK)) return wanted === given;
  const start = wanted.slice(0, -TOOK.length);
  const [, took = '', waited = '', size = ''] =
    /^(\S+) \((\S+) including waiting\)\. Image size: (\d+) bytes\.$/.exec(given.slice(start.length)) ?? [];
  const times = timesOf(ask);
  if (!given.startsWith(start) || times === undefined || size === '') return false;
  const between = (ms: number, [min, max]: Span): boolean => ms >= min && ms <= max;
  return between(millisecondsOf(took), times.took) && between(millisecondsOf(waited), times.waited);
}

/** The bounds of a duration. */
type Span = readonly [minMs: number, maxMs: number];

function timesOf({ pulls, events }: AskRead): { readonly took: Span; readonly waited: Span } | undefined {
  const [first, last] = [pulls[0], pulls.at(-1)];
  const [asked, done] = [events[0]?.atMs ?? 0, events[1]?.atMs ?? 0];
  if (first?.beganMs === undefined || last?.endedMs === undefined) return undefined;
  return {
    took: [last.endedMs - first.beganMs, done - first.beganMs],
    waited: [last.endedMs - asked, done - asked],
  };
}

/** Quotes the expected event, and explains its times. */
function spelled(wanted: WantedEvent, ask: AskRead): string {
  const times = timesOf(ask);
  if (!wanted.endsWith(TOOK) || times === undefined) return `"${wanted}"`;
  const whole = wanted.replace(TOOK, 'T (W including waiting). Image size: N bytes.');
  return `"${whole}", where T is the time of the pull alone (${times.took[0]} ms), W the time since the event Pulling (${times.waited[0]} ms), and both are written as in Go`;
}

/** Parses a duration as Go prints it. */
function millisecondsOf(text: string): number {
  const units = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
  return [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)].reduce(
    (sum, [, count, unit]) => sum + Math.round(Number(count) * units[unit as keyof typeof units]),
    0,
  );
}
