import type { Event, Pod } from '../api/objects.ts';
import { events, pods } from '../api/resource.ts';
import { sameResource } from '../apiserver/storage/storage.ts';
import type { JournalEntry } from '../cluster/journal.ts';
import { podRow } from './pod-row.ts';

/** The pod, and the start of the timeline. */
interface PodTimelineOptions {
  readonly namespace: string;
  readonly name: string;
  /** Times count from here, in virtual ms. @defaultValue 0 */
  readonly sinceMs?: number;
}

/**
 * Draws the life of a pod from its user's view, oldest first. It has each change of the row in
 * `kubectl get pods --watch`, and each event in `kubectl describe pod` at the time of its write.
 *
 *      t=0ms  0/1  Pending            0
 *      t=4ms                                Normal   Scheduled  default-scheduler: Successfully assigned …
 *      t=9ms  0/1  ContainerCreating  0
 *
 * A later pod of the same name follows, after `a new pod`.
 */
export function podTimeline(journal: readonly JournalEntry[], options: PodTimelineOptions): string[] {
  const { sinceMs = 0 } = options;
  const moments = [...momentsOf(journal, options)].map((moment) => ({
    ...moment,
    when: `t=${toMs(moment.atMs - sinceMs)}ms`,
  }));
  const width = (cell: (moment: Moment) => string): number =>
    moments.reduce((most, moment) => Math.max(most, cell(moment).length), 0);
  const widths = [
    width(({ ready }) => ready),
    width(({ status }) => status),
    width(({ restarts }) => restarts),
  ];
  const [readyWidth = 0, statusWidth = 0, restartsWidth = 0] = widths;
  const whenWidth = moments.reduce((most, { when }) => Math.max(most, when.length), 0);
  const [typeWidth, reasonWidth] = [width(({ type }) => type), width(({ reason }) => reason)];
  return moments.map(({ when, ready, status, restarts, type, reason, text }) =>
    [
      when.padStart(whenWidth),
      ready.padEnd(readyWidth),
      status.padEnd(statusWidth),
      restarts.padStart(restartsWidth),
      type.padEnd(typeWidth),
      reason.padEnd(reasonWidth),
      text,
    ]
      .join('  ')
      .trimEnd(),
  );
}

/** One line: a row or an event. */
interface Moment {
  readonly atMs: number;
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
  readonly type: string;
  readonly reason: string;
  readonly text: string;
}

const NO_ROW = { ready: '', status: '', restarts: '' };
const NO_EVENT = { type: '', reason: '', text: '' };

function* momentsOf(
  journal: readonly JournalEntry[],
  { namespace, name }: PodTimelineOptions,
): Generator<Moment> {
  let last = '';
  let uid: string | undefined;
  for (const { atMs, resource, type, object } of journal) {
    if (sameResource(resource, events) && type !== 'DELETED') {
      const event = object as Event;
      const { involvedObject: about } = event;
      if (about?.kind !== 'Pod' || about.namespace !== namespace || about.name !== name) continue;
      yield { atMs, ...NO_ROW, ...eventCells(event) };
    }
    const { metadata } = object;
    if (!sameResource(resource, pods) || metadata.namespace !== namespace || metadata.name !== name) continue;
    if (type === 'DELETED') {
      last = '';
      yield { atMs, ...NO_ROW, ...NO_EVENT, status: 'gone' };
      continue;
    }
    const { ready, status, restarts } = podRow(object as Pod);
    const row = `${ready} ${status} ${restarts}`;
    if (row === last && uid === metadata.uid) continue;
    const isAnother = uid !== undefined && uid !== metadata.uid;
    last = row;
    uid = metadata.uid;
    const text = isAnother ? 'a new pod' : '';
    yield { atMs, ready, status, restarts: String(restarts), ...NO_EVENT, text };
  }
}

/** Formats an event as `kubectl describe` does: the count after the reason, the part of the pod before the message. */
function eventCells(event: Event): Pick<Moment, 'type' | 'reason' | 'text'> {
  const {
    type = '',
    reason = '',
    message = '',
    source,
    reportingComponent,
    involvedObject,
    count,
    series,
  } = event;
  const times = series?.count ?? count ?? 1;
  const from = source?.component || reportingComponent;
  const part = involvedObject?.fieldPath ? `${involvedObject.fieldPath}: ` : '';
  const text = `${from}: ${part}${message.replace(/\s+/g, ' ').trim()}`;
  return { type, reason: times > 1 ? `${reason} (x${times})` : reason, text };
}

function toMs(ms: number): number {
  return Number(ms.toFixed(3));
}
