import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate } from './declared.fixture.ts';
import { ipAddress } from './ip-address.ts';

const NAMED = { 'metadata.name': '10.96.0.10' };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/networking/validation/validation_test.go TestValidateIPAddress
describe('IPAddress', () => {
  test.each(['10.96.0.10', '2001:db8::1'])('accepts the name %s', (name) => {
    expect(refused(ipAddress, { 'metadata.name': name })).toEqual([]);
  });

  test.each([
    [
      { 'metadata.name': '10.96.0' },
      'metadata.name: Invalid value: "10.96.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      { 'metadata.name': '10.096.0.1' },
      'metadata.name: Invalid value: "10.096.0.1": must not have leading 0s',
    ],
    [
      { 'metadata.name': '2001:DB8:0::1' },
      'metadata.name: Invalid value: "2001:DB8:0::1": must be in canonical form ("2001:db8::1")',
    ],
    [{ 'spec.parentRef': undefined }, 'spec.parentRef: Required value'],
    [{ 'spec.parentRef.resource': '' }, 'spec.parentRef.resource: Required value'],
    [{ 'spec.parentRef.name': '' }, 'spec.parentRef.name: Required value'],
    [
      { 'spec.parentRef.namespace': 'a/b' },
      `spec.parentRef.namespace: Invalid value: "a/b": may not contain '/'`,
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(ipAddress, { ...NAMED, ...changes })).toEqual([why]);
  });

  test('never changes its parent', () => {
    expect(refusedUpdate(ipAddress, { 'spec.parentRef.name': 'other' }, NAMED)).toEqual([
      expect.stringMatching(/^spec\.parentRef: Invalid value: .*: field is immutable$/),
    ]);
  });
});
