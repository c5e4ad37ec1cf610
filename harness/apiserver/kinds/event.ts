import { isDNS1123Subdomain, isQualifiedName, isValidPathSegmentName } from '../../api/names.ts';
import type { Event } from '../../api/objects.ts';
import { events } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { invalid, invalidEach, required } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';

/**
 * The kind Event, of the core group: what happened to an object, for people to read.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/event/strategy.go,
 * pkg/apis/core/validation/events.go legacyValidateEvent
 */
export const event: Kind<Event> = {
  resource: events,
  // No rule of its own: recorders append ".<hexadecimal time>" to the name of an object of any kind.
  validateName: isValidPathSegmentName,
  allowCreateOnUpdate: true,
  defaultPropagationPolicy: 'Unsupported',

  setDefaults: (object) => withDefaults(object, { involvedObject: {} }),
  prepareForCreate: (object) => object,
  prepareForUpdate: (object) => object,

  validate(object) {
    return [
      ...validateEvent(object),
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isValidPathSegmentName }),
    ];
  },

  validateUpdate(object, old) {
    return [...validateObjectMetaUpdate(object.metadata, old.metadata), ...validateEvent(object)];
  },

  selectableFieldNames: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],

  selectableFields({ involvedObject, reason = '', reportingComponent = '', source, type = '' }) {
    return {
      'involvedObject.kind': involvedObject.kind ?? '',
      'involvedObject.namespace': involvedObject.namespace ?? '',
      'involvedObject.name': involvedObject.name ?? '',
      'involvedObject.uid': involvedObject.uid ?? '',
      'involvedObject.apiVersion': involvedObject.apiVersion ?? '',
      'involvedObject.resourceVersion': involvedObject.resourceVersion ?? '',
      'involvedObject.fieldPath': involvedObject.fieldPath ?? '',
      reason,
      reportingComponent,
      source: source?.component || reportingComponent,
      type,
    };
  },
};

/**
 * What every event has to keep to. One with `eventTime` was made by the newer recorder, which owes more.
 *
 * @param reporter how the version of the API calls the reporting component
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/events.go legacyValidateEvent
 */
export function validateEvent(
  object: Event,
  reporter: 'reportingComponent' | 'reportingController' = 'reportingComponent',
): Cause[] {
  const { metadata } = object;
  const causes = object.eventTime ? validateNewEvent(object, reporter) : validateOldEvent(object);
  const namespace = metadata.namespace ?? '';
  return [...causes, ...invalidEach('namespace', namespace, isDNS1123Subdomain(namespace))];
}

/** The event of a namespaced object lives beside it, that of a cluster-scoped one in `default`. */
function validateOldEvent({ metadata, involvedObject }: Event): Cause[] {
  const about = involvedObject.namespace ?? '';
  const matches = about ? metadata.namespace === about : (metadata.namespace ?? 'default') === 'default';
  return matches ? [] : [invalid(NAMESPACE, about, WRONG_NAMESPACE)];
}

function validateNewEvent(object: Event, reporter: string): Cause[] {
  const { metadata, involvedObject, reportingComponent = '', message = '' } = object;
  const causes: Cause[] = [];
  const homes = ['default', 'kube-system'];
  if (!involvedObject.namespace && !homes.includes(metadata.namespace ?? '')) {
    causes.push(invalid(NAMESPACE, '', WRONG_NAMESPACE));
  }
  if (!reportingComponent) causes.push(required(reporter));
  causes.push(...invalidEach(reporter, reportingComponent, isQualifiedName(reportingComponent)));
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    const value = object[field] ?? '';
    if (!value) causes.push(required(field));
    causes.push(...atMost(field, value, 128));
  }
  return [...causes, ...atMost('message', message, 1024)];
}

/** The text itself is not repeated. */
function atMost(path: string, value: string, bytesMax: number): Cause[] {
  return Buffer.byteLength(value) > bytesMax
    ? [invalid(path, '', `can have at most ${bytesMax} characters`)]
    : [];
}

const NAMESPACE = 'involvedObject.namespace';
const WRONG_NAMESPACE = 'does not match event.namespace';
