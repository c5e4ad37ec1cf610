import { isDNS1123Subdomain, isValidPathSegmentName } from '../../api/names.ts';
import type { Event, EventV1 } from '../../api/objects.ts';
import { events, eventsV1 } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import type { Kind } from '../kind.ts';
import { invalid, required } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { event, validateEvent } from './event.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';

/** Selectable fields by their names in this version, with their names in the core group. */
const SELECTABLE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => [
      `regarding.${field}`,
      `involvedObject.${field}`,
    ]),
  ),
  reason: 'reason',
  reportingController: 'reportingComponent',
  type: 'type',
};

/**
 * The kind Event of the group events.k8s.io: the same objects as in the core group, under newer field names. Objects
 * that are written in this version have additional rules.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/events/v1/conversion.go, pkg/apis/core/validation/events.go
 * ValidateEventCreate
 */
const stored: Kind<Event> = {
  ...event,

  validate(object) {
    return [...validateEvent(object, 'reportingController'), ...validateNewest(object)];
  },

  validateUpdate(object, old) {
    return [
      ...validateEvent(object, 'reportingController'),
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...(semanticEqual(object.series, old.series) ? [] : validateSeries(object)),
      ...validateKept(object, old),
    ];
  },

  selectableFieldNames: Object.keys(SELECTABLE),

  selectableFields(object) {
    const fields = event.selectableFields(object);
    return Object.fromEntries(Object.entries(SELECTABLE).map(([name, core]) => [name, fields[core] ?? '']));
  },
};

/** {@link stored} as the server exposes it. */
export const eventV1: Kind<EventV1> = {
  ...(stored as unknown as Kind<EventV1>),
  resource: eventsV1,
  validateName: isValidPathSegmentName,
  conversion: {
    served: eventsV1,
    stored: events,
    toStored: (object) => renamed(object, STORED_NAMES),
    fromStored: (object) => renamed(object, NAMES),
  },
};

/** Stored names of the fields that the two versions name differently, by their names in this version. */
const STORED_NAMES: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
};

const NAMES = Object.fromEntries(Object.entries(STORED_NAMES).map(([name, there]) => [there, name]));

function renamed(object: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]),
  );
}

/** Validates an event that is created in this version: it must not have deprecated fields. */
function validateNewest(object: Event): Cause[] {
  const { metadata, eventTime, type = '', firstTimestamp, lastTimestamp, count, source } = object;
  const causes = [
    ...validateObjectMeta(metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
    ...validateSeries(object),
  ];
  if (!eventTime) causes.push(required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning') {
    causes.push(invalid('type', '', `has invalid value: ${type}`));
  }
  const hasSource = Boolean(source?.component || source?.host);
  const old = { firstTimestamp, lastTimestamp, count, source: hasSource };
  for (const [field, value] of Object.entries(old)) {
    if (value) causes.push(invalid(field, '', 'needs to be unset'));
  }
  return causes;
}

/** Upstream: validateV1EventSeries */
function validateSeries({ series }: Event): Cause[] {
  if (!series) return [];
  const { count = 0, lastObservedTime } = series;
  return [
    ...(count < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** Rejects changes of an event; only its series may change. Upstream: ValidateEventUpdate */
function validateKept(object: Event, old: Event): Cause[] {
  const fields = [
    ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'type'],
    ...['eventTime', 'action', 'related', 'reportingComponent', 'reportingInstance'],
  ] as (keyof Event)[];
  return fields.flatMap((field) => {
    if (semanticEqual(object[field], old[field])) return [];
    const path = field === 'reportingComponent' ? 'reportingController' : field;
    const struct = STRUCTS[field];
    return [invalid(path, struct ? inGoNames(object[field], struct) : object[field], 'field is immutable')];
  });
}

/** Upstream: ObjectReference */
const REFERENCE: GoStruct = {
  Kind: ['kind', ''],
  Namespace: ['namespace', ''],
  Name: ['name', ''],
  UID: ['uid', ''],
  APIVersion: ['apiVersion', ''],
  ResourceVersion: ['resourceVersion', ''],
  FieldPath: ['fieldPath', ''],
};

const STRUCTS: Readonly<Record<string, GoStruct>> = {
  involvedObject: REFERENCE,
  related: REFERENCE,
  // Upstream: EventSource
  source: { Component: ['component', ''], Host: ['host', ''] },
};
