import type { Event, KubeObject } from '../../../api/objects.ts';
import { events } from '../../../api/resource.ts';
import { agoAt } from '../../../apiserver/table/ago.ts';
import type { Client } from '../../../contracts/client.ts';
import { indented, type Lines } from './text.ts';

/** Returns the Events about an object, in the order of kubectl: by their last time, those of the new format first. */
export async function eventsAbout(client: Client, { kind, metadata }: KubeObject): Promise<readonly Event[]> {
  const { name, namespace = '', uid } = metadata;
  const { items } = await client.list(events, namespace === '' ? {} : { namespace });
  const uids = kind === 'Node' ? [uid, name] : [uid];
  const found = items.filter(
    ({ involvedObject: of }) =>
      of.name === name &&
      (of.namespace ?? '') === namespace &&
      uids.includes(of.uid ?? '') &&
      (kind === 'Pod' || of.kind === kind),
  );
  return uids
    .flatMap((each) => found.filter(({ involvedObject }) => involvedObject.uid === each))
    .toSorted((a, b) => lastMs(a) - lastMs(b));
}

const lastMs = ({ lastTimestamp }: Event): number => (lastTimestamp ? Date.parse(lastTimestamp) : 0);

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go DescribeEvents */
export function eventLines(all: readonly Event[], nowMs: number): Lines {
  if (all.length === 0) return ['Events:\t<none>'];
  const rows = all.map((event) => {
    const { type, reason, source, reportingComponent, involvedObject, message = '' } = event;
    const text = involvedObject.fieldPath ? `${involvedObject.fieldPath}: ${message.trim()}` : message.trim();
    return [type, reason, whenOf(event, nowMs), source?.component || reportingComponent || '', text].join(
      '\t',
    );
  });
  return [
    'Events:',
    ...indented(['Type\tReason\tAge\tFrom\tMessage', '----\t------\t----\t----\t-------', ...rows]),
  ];
}

/** Returns when an event was, and how often: `5s (x3 over 1m)`. */
export function whenOf(
  { eventTime, firstTimestamp, lastTimestamp, series, count = 0 }: Event,
  nowMs: number,
): string {
  const ago = agoAt(nowMs);
  const first = ago(eventTime || firstTimestamp);
  if (series) return `${ago(series.lastObservedTime)} (x${series.count} over ${first})`;
  return count > 1 ? `${ago(lastTimestamp)} (x${count} over ${first})` : first;
}
