import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Endpoints } from '../../api/objects.ts';
import { endpoints } from './endpoints.ts';
import { kindViolations, parts, said } from './kind-laws.ts';

function of(subsets: Endpoints['subsets'] = []): Endpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    subsets,
  };
}

const refusals = (subsets: Endpoints['subsets']) =>
  said(endpoints.validate(endpoints.setDefaults(of(subsets))));

describe('Endpoints', () => {
  test('have ports with a protocol', () => {
    expect(endpoints.setDefaults(of([{ ports: [{ port: 80 }] }])).subsets).toEqual([
      { ports: [{ port: 80, protocol: 'TCP' }] },
    ]);
  });

  test('can have no subsets, but each subset needs an address', () => {
    expect(refusals([])).toEqual([]);
    expect(refusals([{ ports: [{ port: 80 }] }])).toEqual([
      'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
    ]);
    expect(refusals([{ notReadyAddresses: [{ ip: '10.0.0.1' }] }])).toEqual([]);
  });

  test('reject addresses that are not reachable from other hosts', () => {
    const refused = refusals([
      { addresses: [{ ip: '127.0.0.1', hostname: 'A' }], notReadyAddresses: [{ ip: 'web' }] },
    ]);
    expect(refused).toEqual([
      expect.stringContaining(
        'subsets[0].addresses[0].hostname: Invalid value: "A": a lowercase RFC 1123 label',
      ),
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "web": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "web": must be a valid IP address',
    ]);
  });

  test('have port names if there are several ports', () => {
    const addresses = [{ ip: '10.0.0.1' }];
    expect(refusals([{ addresses, ports: [{ port: 80 }] }])).toEqual([]);
    expect(refusals([{ addresses, ports: [{ port: 80 }, { name: 'b', port: 0, protocol: 'tcp' }] }])).toEqual(
      [
        'subsets[0].ports[0].name: Required value',
        'subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'subsets[0].ports[1].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
      ],
    );
  });

  test('can keep stored addresses that are invalid today', () => {
    const old = of([{ addresses: [{ ip: '127.0.0.1' }] }]);
    expect(endpoints.validateUpdate(old, old)).toEqual([]);
    expect(endpoints.validateUpdate(of([{ addresses: [{ ip: '127.0.0.2' }] }]), old)).toHaveLength(1);
  });

  test('warn a client about addresses in a non-canonical form', () => {
    const odd = of([{ addresses: [{ ip: '010.0.0.1' }] }]);
    expect(endpoints.warningsOnCreate?.(odd)).toEqual([
      expect.stringContaining('subsets[0].addresses[0].ip: non-standard IP address "010.0.0.1"'),
    ]);
    const labels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
    expect(endpoints.warningsOnCreate?.({ ...odd, metadata: { ...odd.metadata, labels } })).toEqual([]);
  });

  test('satisfy the laws, whichever part of them is sent', () => {
    const whole = of([
      {
        addresses: [{ ip: '10.0.0.1', hostname: 'a', nodeName: 'node-1', targetRef: { kind: 'Pod' } }],
        notReadyAddresses: [{ ip: '10.0.0.2' }],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
      },
    ]);
    fc.assert(
      fc.property(parts(whole), (part) => {
        // Subsets that are kept are not validated again, so an update can be valid where a create is not.
        const violations = kindViolations(endpoints, part).filter((law) => law !== 'Total: validateUpdate');
        expect(violations).toEqual([]);
      }),
    );
  });
});
