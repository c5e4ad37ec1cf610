import { isDNS1123Subdomain, isQualifiedName, isValidPathSegmentName } from '../../api/names.ts';
import type { Event } from '../../api/objects.ts';
import { events } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { invalid, invalidEach, required } from '../validation/field-error.ts';

/** The fields of the reference to the object, for field selectors. */
const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/**
 * The kind Event, of the core group: an occurrence about an object, for people to read.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/event/strategy.go,
 * pkg/apis/core/validation/events.go legacyValidateEvent
 */
export const event = declareKind<Event>({
  resource: events,
  // The kind has no rule of its own for names: recorders append ".<hexadecimal time>" to the name of an object of any kind.
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
 * Returns the rules that an event of either version breaks. The newer recorder sets `eventTime`, and must fill in more.
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
