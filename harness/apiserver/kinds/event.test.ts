import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../api/objects.ts';
import { event } from './event.ts';
import { kindViolations, parts, said } from './kind-laws.ts';

function happened(content: object = {}, namespace = 'shop'): Event {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: 'web.17c5f0b2a1d3e4f5',
      namespace,
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web' },
    ...content,
  } as Event;
}

const modern = {
  eventTime: '2024-05-01T10:00:00.000000Z',
  reportingComponent: 'kubelet',
  reportingInstance: 'node-1',
  action: 'Pulling',
  reason: 'Pulling',
};

describe('Event', () => {
  test('is in the namespace of the object that it is about', () => {
    expect(event.validate(happened())).toEqual([]);
    expect(said(event.validate(happened({}, 'default')))).toEqual([
      'involvedObject.namespace: Invalid value: "shop": does not match event.namespace',
    ]);
  });

  test('is in default when that object has no namespace', () => {
    const involvedObject = { kind: 'Node', name: 'node-1' };
    expect(event.validate(happened({ involvedObject }, 'default'))).toEqual([]);
    expect(said(event.validate(happened({ involvedObject })))).toEqual([
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ]);
  });

  test('requires nothing else without an eventTime', () => {
    expect(event.validate(happened({ reason: 'x'.repeat(200), type: 'Odd' }))).toEqual([]);
  });

  test('requires a reporter and an action with an eventTime', () => {
    expect(event.validate(happened(modern))).toEqual([]);
    const causes = said(event.validate(happened({ eventTime: modern.eventTime })));
    expect(causes.filter((cause) => cause.includes('Required'))).toEqual([
      'reportingComponent: Required value',
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ]);
  });

  test('with an eventTime and a cluster-scoped object can be in any namespace, but not in none', () => {
    const involvedObject = { kind: 'Node', name: 'node-1' };
    expect(event.validate(happened(modern, 'default'))).toEqual([]);
    expect(event.validate(happened({ ...modern, involvedObject }, 'kube-system'))).toEqual([]);
    expect(said(event.validate(happened({ ...modern, involvedObject })))).toEqual([
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ]);
  });

  test('limits the length of its fields with an eventTime', () => {
    const long = 'x'.repeat(129);
    const content = {
      ...modern,
      reportingInstance: long,
      action: long,
      reason: long,
      message: long.repeat(8),
    };
    expect(said(event.validate(happened(content)))).toEqual([
      'reportingInstance: Invalid value: "": can have at most 128 characters',
      'action: Invalid value: "": can have at most 128 characters',
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ]);
  });

  test('can change in every field', () => {
    const changed = happened({ ...modern, count: 2, type: 'Warning' });
    expect(event.validateUpdate(changed, happened())).toEqual([]);
    expect(event.allowCreateOnUpdate).toBe(true);
  });

  test('can be selected by its object, reason, type and source', () => {
    const content = { reason: 'Pulled', type: 'Normal', source: { component: 'kubelet' } };
    expect(event.selectableFields(happened(content))).toEqual({
      'involvedObject.kind': 'Pod',
      'involvedObject.namespace': 'shop',
      'involvedObject.name': 'web',
      'involvedObject.uid': '',
      'involvedObject.apiVersion': '',
      'involvedObject.resourceVersion': '',
      'involvedObject.fieldPath': '',
      reason: 'Pulled',
      reportingComponent: '',
      source: 'kubelet',
      type: 'Normal',
    });
  });

  test('uses its reporter as the source when it has no source', () => {
    expect(event.selectableFields(happened(modern))).toMatchObject({ source: 'kubelet' });
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = happened({ ...modern, source: { component: 'kubelet' }, count: 1 });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(event, part)).toEqual([]);
      }),
    );
  });
});
