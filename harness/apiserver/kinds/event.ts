import { isDNS1123Subdomain, isQualifiedName, isValidPathSegmentName } from '../../api/names.ts';
import type { Event } from '../../api/objects.ts';
import { events } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { invalid, invalidEach, required } from '../validation/field-error.ts';

/** Fields of the object reference that field selectors support. */
const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/**
 * The kind Event of the core group: an occurrence about an object, for people to read.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/event/strategy.go,
 * pkg/apis/core/validation/events.go legacyValidateEvent
 */
export const event = declareKind<Event>({
  resource: events,
  // The kind has no special rule for names: recorders append ".<hexadecimal time>" to the name of an object of any
  // kind.
  validateName: isValidPathSegmentName,
  metadataLast: true,
  allowCreateOnUpdate: true,
  defaultPropagationPolicy: 'Unsupported',
  selectable: {
    ...Object.fromEntries(
      REFERENCE.map((field) => [
        `involvedObject.${field}`,
        ({ involvedObject }: Event) => involvedObject[field] ?? '',
      ]),
    ),
    reason: ({ reason = '' }) => reason,
    reportingComponent: ({ reportingComponent = '' }) => reportingComponent,
    source: ({ source, reportingComponent = '' }) => source?.component || reportingComponent,
    type: ({ type = '' }) => type,
  },
  rules: [(object) => validateEvent(object)],
});

/**
 * Validates an event of either version. The newer recorder sets `eventTime`, and must set more fields.
 *
 * @param reporter the name of the reporting component in the version of the API
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

/** Validates the namespace: that of the involved object, or `default` for a cluster-scoped object. */
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

/** Limits the length of a text; the error does not repeat the text. */
function atMost(path: string, value: string, bytesMax: number): Cause[] {
  return Buffer.byteLength(value) > bytesMax
    ? [invalid(path, '', `can have at most ${bytesMax} characters`)]
    : [];
}

const NAMESPACE = 'involvedObject.namespace';
const WRONG_NAMESPACE = 'does not match event.namespace';
