import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EndpointSlice } from '../../api/objects.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { kindViolations, parts, said } from './kind-laws.ts';

function slice(rest: Partial<EndpointSlice>): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'web-abcde',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    addressType: 'IPv4',
    endpoints: [],
    ports: [],
    ...rest,
  };
}

const refusals = (rest: Partial<EndpointSlice>): string[] =>
  said(endpointSlice.validate(endpointSlice.setDefaults(slice(rest))));

const hint = (name: string) => ({ name });

describe('An EndpointSlice', () => {
  test('has ports with a name, which can be empty, and a protocol', () => {
    expect(endpointSlice.setDefaults(slice({ ports: [{ port: 80 }] })).ports).toEqual([
      { name: '', port: 80, protocol: 'TCP' },
    ]);
    const whole = slice({ ports: [{ name: 'dns', protocol: 'UDP' }] });
    expect(endpointSlice.setDefaults(whole)).toBe(whole);
  });

  test('drops the deprecated topology labels', () => {
    const object = slice({
      endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { 'kubernetes.io/hostname': 'a' } }],
    });
    expect(endpointSlice.prepareForCreate(object).endpoints).toEqual([{ addresses: ['10.0.0.1'] }]);
  });

  test('has addresses of one type', () => {
    expect(refusals({ addressType: '' })).toEqual(['addressType: Required value']);
    expect(refusals({ addressType: 'IP', endpoints: [{ addresses: ['nothing'] }] })).toEqual([
      'addressType: Unsupported value: "IP": supported values: "FQDN", "IPv4", "IPv6"',
    ]);
    expect(refusals({ endpoints: [{ addresses: ['fd00::1'] }] })).toEqual([
      'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
    ]);
    expect(refusals({ addressType: 'IPv6', endpoints: [{ addresses: ['10.0.0.1'] }] })).toEqual([
      'endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address',
    ]);
    expect(refusals({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] })).toEqual([]);
  });

  test('rejects a changed address type', () => {
    expect(said(endpointSlice.validateUpdate(slice({ addressType: 'IPv6' }), slice({})))).toEqual([
      'addressType: Invalid value: "IPv6": field is immutable',
    ]);
  });

  test.each([
    [
      'web',
      'endpoints[0].addresses[0]: Invalid value: "web": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    ['0.0.0.0', 'endpoints[0].addresses[0]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)'],
    [
      '127.0.0.1',
      'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  ])('is not for the address %s', (address, refusal) => {
    expect(refusals({ endpoints: [{ addresses: [address] }] })).toEqual([refusal]);
  });

  test.each([
    ['', 'endpoints[0].addresses[0]: Required value'],
    [
      'web',
      'endpoints[0].addresses[0]: Invalid value: "web": should be a domain with at least two segments separated by dots',
    ],
    ['web.example.com.', undefined],
    [
      `${'a'.repeat(64)}.com`,
      `endpoints[0].addresses[0]: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
    ],
  ])('of domain names judges %s', (address, refusal) => {
    expect(refusals({ addressType: 'FQDN', endpoints: [{ addresses: [address] }] })).toEqual(
      refusal === undefined ? [] : [refusal],
    );
  });

  test('has between one and a hundred addresses per endpoint', () => {
    expect(refusals({ endpoints: [{ addresses: [] }] })).toEqual([
      'endpoints[0].addresses: Required value: must contain at least 1 address',
    ]);
    const addresses = Array.from({ length: 101 }, (_, i) => `10.0.0.${i + 1}`);
    expect(refusals({ endpoints: [{ addresses }] })).toEqual([
      'endpoints[0].addresses: Too many: 101: must have at most 100 items',
    ]);
  });

  test('has at most a thousand endpoints', () => {
    const endpoints = Array.from({ length: 1001 }, () => ({ addresses: [] }));
    expect(refusals({ endpoints })).toEqual(['endpoints: Too many: 1001: must have at most 1000 items']);
  });

  test('has distinct port names', () => {
    expect(refusals({ ports: [{ port: 80 }, { port: 81 }, { name: 'B', protocol: 'tcp' }] })).toEqual([
      'ports[1].name: Duplicate value: ""',
      expect.stringContaining('ports[2].name: Invalid value: "B": a lowercase RFC 1123 label'),
      'ports[2].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
    ]);
  });

  test('has a limited number of distinct zone and node hints', () => {
    const hinted = (hints: object) => refusals({ endpoints: [{ addresses: ['10.0.0.1'], hints }] });
    expect(hinted({ forZones: [hint('a')], forNodes: [hint('node-1')] })).toEqual([]);
    expect(hinted({ forZones: [hint('a'), hint('a')] })).toEqual([
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
    ]);
    expect(hinted({ forNodes: Array.from({ length: 9 }, (_, i) => hint(`node-${i}`)) })).toEqual([
      'endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items',
    ]);
  });

  test('can keep stored endpoints that are invalid today', () => {
    const old = slice({ endpoints: [{ addresses: ['127.0.0.1'] }] });
    const ports = [{ name: 'http', protocol: 'TCP', port: 80 }];
    expect(endpointSlice.validateUpdate({ ...old, ports }, old)).toEqual([]);
    const changed = slice({ endpoints: [{ addresses: ['127.0.0.2'] }] });
    expect(endpointSlice.validateUpdate(changed, old)).toHaveLength(1);
  });

  test('increases its generation when its labels change, but not when its annotations do', () => {
    const labelled = slice({ metadata: { ...slice({}).metadata, labels: { a: 'b' } } });
    const annotated = slice({ metadata: { ...slice({}).metadata, annotations: { a: 'b' } } });
    expect(endpointSlice.sameDesiredState?.(labelled, slice({}))).toBe(false);
    expect(endpointSlice.sameDesiredState?.(annotated, slice({}))).toBe(true);
    expect(endpointSlice.sameDesiredState?.(slice({ ports: [{ port: 1 }] }), slice({}))).toBe(false);
  });

  test('warns a client about addresses in a non-canonical form and FQDN addresses', () => {
    const odd = slice({ endpoints: [{ addresses: ['010.0.0.1'] }] });
    expect(endpointSlice.warningsOnUpdate?.(odd)).toEqual([
      expect.stringContaining('endpoints[0].addresses[0]: non-standard IP address "010.0.0.1"'),
    ]);
    const labels = { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
    expect(endpointSlice.warningsOnUpdate?.({ ...odd, metadata: { ...odd.metadata, labels } })).toEqual([]);
    expect(endpointSlice.warningsOnCreate?.(slice({ addressType: 'FQDN' }))).toEqual([
      'spec.addressType: FQDN endpoints are deprecated',
    ]);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = slice({
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          conditions: { ready: true, serving: true, terminating: false },
          nodeName: 'node-1',
          zone: 'a',
          hostname: 'web-0',
          hints: { forZones: [hint('a')], forNodes: [hint('node-1')] },
          targetRef: { kind: 'Pod', namespace: 'default', name: 'web-0', uid: '2' },
        },
      ],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
    });
    fc.assert(
      fc.property(parts(whole), (part) => {
        // Endpoints that are kept are not validated again, so an update can be valid where a create is not.
        const violations = kindViolations(endpointSlice, part).filter(
          (law) => law !== 'Total: validateUpdate',
        );
        expect(violations).toEqual([]);
      }),
    );
  });
});
