import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { ingressClass } from './ingress-class.ts';

describe('IngressClass', () => {
  test('has cluster-scoped parameters by default', () => {
    expect(sampleOf(ingressClass).spec.parameters).toMatchObject({ scope: 'Cluster' });
  });

  test.each([
    [{ 'spec.controller': '' }, 'spec.controller: Required value'],
    [
      { 'spec.controller': 'nginx' },
      'spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { 'spec.controller': 'example.com/a b' },
      `spec.controller: Invalid value: "a b": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
    ],
    [
      { 'spec.controller': `example.com/${'a'.repeat(250)}` },
      'spec.controller: Too long: may not be more than 250 bytes',
    ],
    [{ 'spec.parameters.kind': '' }, 'spec.parameters.kind: Required value'],
    [
      { 'spec.parameters.scope': 'World' },
      'spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"',
    ],
    [
      { 'spec.parameters.scope': 'Namespace' },
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
    [
      { 'spec.parameters.namespace': 'default' },
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(ingressClass, changes)).toEqual([why]);
  });

  test('never changes its controller', () => {
    expect(refusedUpdate(ingressClass, { 'spec.controller': 'example.com/other' })).toEqual([
      'spec.controller: Invalid value: "example.com/other": field is immutable',
    ]);
  });
});
