import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, sampleOf } from './declared.fixture.ts';
import { ingress } from './ingress.ts';

const path = 'spec.rules.0.http.paths.0';
const at = 'spec.rules[0].http.paths[0]';

describe('Ingress', () => {
  test.each([
    [
      { 'spec.rules': undefined, 'spec.defaultBackend': undefined },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ],
    [{ [`${path}.pathType`]: undefined }, `${at}.pathType: Required value: pathType must be specified`],
    [
      { [`${path}.pathType`]: 'Regex' },
      `${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
    ],
    [{ [`${path}.path`]: 'api' }, `${at}.path: Invalid value: "api": must be an absolute path`],
    [{ [`${path}.path`]: '/a//b' }, `${at}.path: Invalid value: "/a//b": must not contain '//'`],
    [{ [`${path}.path`]: '/a/..' }, `${at}.path: Invalid value: "/a/..": cannot end with '/..'`],
    [{ 'spec.rules.0.http.paths': [] }, 'spec.rules[0].http.paths: Required value'],
    [
      { 'spec.rules.0.host': '10.0.0.1' },
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
    [
      { 'spec.defaultBackend': {} },
      'spec.defaultBackend: Invalid value: "": resource or service backend is required',
    ],
    [
      { 'spec.defaultBackend.resource': { kind: 'Bucket', name: 'a' } },
      'spec.defaultBackend: Invalid value: "": cannot set both resource and service backends',
    ],
    [{ 'spec.defaultBackend.service.name': '' }, 'spec.defaultBackend.service.name: Required value'],
    [
      { 'spec.defaultBackend.service.port': {} },
      'spec.defaultBackend: Required value: port name or number is required',
    ],
    [
      { 'spec.defaultBackend.service.port.name': 'http' },
      'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
    ],
    [
      { 'spec.defaultBackend.service.port.number': 70_000 },
      'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(ingress, changes)).toEqual([why]);
  });

  test('accepts wildcards only as the first label', () => {
    const [why, ...more] = refused(ingress, { 'spec.rules.0.host': 'a.*.com' });
    expect(more).toEqual([]);
    expect(why).toMatch(
      /^spec\.rules\[0\]\.host: Invalid value: "a\.\*\.com": a wildcard DNS-1123 subdomain must start with '\*\.',.*\(e\.g\. '\*\.example\.com', regex used for validation is '\\\*\\\./,
    );
  });

  test('leaves ImplementationSpecific paths to the implementation', () => {
    expect(
      refused(ingress, { [`${path}.pathType`]: 'ImplementationSpecific', [`${path}.path`]: '/a//b' }),
    ).toEqual([]);
  });

  test('has one class, in the annotation or in the field', () => {
    const annotations = { 'kubernetes.io/ingress.class': 'private' };
    expect(refused(ingress, { 'metadata.annotations': annotations })).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "private": must match `ingressClassName` when both are specified',
    ]);
    const old = sampleOf(ingress, {
      'metadata.annotations': annotations,
      'spec.ingressClassName': undefined,
    });
    expect(ingress.warningsOnCreate?.(old)).toEqual([
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ]);
  });

  test('has hostnames and IP addresses in the matching fields of its status', () => {
    const entry = { ip: '192.0.2', hostname: '192.0.2.1' };
    const causes = refusedStatus(ingress, { 'status.loadBalancer.ingress': [entry] });
    expect(causes).toEqual([
      expect.stringMatching(/^status\.loadBalancer\.ingress\[0\]\.ip: Invalid value: "192\.0\.2": /),
      'status.loadBalancer.ingress[0].hostname: Invalid value: "192.0.2.1": must be a DNS name, not an IP address',
    ]);
  });
});
