import type { Event, EventSource, ObjectReference } from '#api/core/v1';
import type { Event as EventV1 } from '#api/events/v1';
import { type Ago, UNKNOWN } from './ago.ts';
import { type Column, name, nameOf, naming, text, wide } from './column.ts';

/** The columns of an Event of the core group. */
export const eventColumns: readonly Column<Event>[] = [
  text('Last Seen', 'The time since it was last seen.', lastSeen),
  text('Type', 'Whether all is well, or something may be wrong.', ({ type }) => type ?? ''),
  text('Reason', 'Why, in one word.', ({ reason }) => reason ?? ''),
  text('Object', 'The object that it is about.', ({ involvedObject }) => target(involvedObject)),
  wide(text('Subobject', 'The part of the object.', ({ involvedObject }) => involvedObject?.fieldPath ?? '')),
  wide(text('Source', 'The component that tells of it, and where that runs.', source)),
  text('Message', 'What happened, for people to read.', ({ message }) => (message ?? '').trim()),
  wide(text('First Seen', 'The time since it was first seen.', firstSeen)),
  wide(
    text('Count', 'How often it was seen.', ({ count, series }) =>
      series ? (series.count ?? 0) : count || 1,
    ),
  ),
  wide(naming(text(name.name, name.description, nameOf))),
];

/**
 * The columns of an Event of events.k8s.io: the same columns, because it is the same event with newer field names.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/events/v1/conversion.go Convert_v1_Event_To_core_Event
 */
export const eventV1Columns: readonly Column<EventV1>[] = eventColumns.map((column) => ({
  ...column,
  cell: (event, ago) => column.cell(inOldWords(event), ago),
}));

function inOldWords(event: EventV1): Event {
  const { regarding, note, deprecatedSource, reportingController, ...rest } = event;
  const { deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, ...same } = rest;
  return {
    ...same,
    metadata: event.metadata ?? {},
    involvedObject: regarding ?? {},
    ...(note ? { message: note } : {}),
    ...(deprecatedSource ? { source: deprecatedSource } : {}),
    ...(deprecatedFirstTimestamp ? { firstTimestamp: deprecatedFirstTimestamp } : {}),
    ...(deprecatedLastTimestamp ? { lastTimestamp: deprecatedLastTimestamp } : {}),
    ...(deprecatedCount ? { count: deprecatedCount } : {}),
    reportingComponent: reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  };
}

function firstSeen({ firstTimestamp, eventTime }: Event, ago: Ago): string {
  return ago(firstTimestamp || eventTime);
}

function lastSeen(event: Event, ago: Ago): string {
  if (event.series) return ago(event.series.lastObservedTime);
  const last = ago(event.lastTimestamp);
  return last === UNKNOWN ? firstSeen(event, ago) : last;
}

function target(reference: ObjectReference | null | undefined): string {
  const { kind = '', name: of } = reference ?? {};
  return `${kind.toLowerCase()}${of ? `/${of}` : ''}`;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go formatEventSource */
function source({ source: old, reportingComponent, reportingInstance }: Event): string {
  const { component, host }: EventSource = old ?? {};
  const instance = host || reportingInstance;
  return `${component || reportingComponent || ''}${instance ? `, ${instance}` : ''}`;
}
