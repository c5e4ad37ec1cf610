import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, sampleOf } from '../declared.fixture.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding.ts';

const noItems = 'Required value: validations or auditAnnotations must contain at least one item';

describe('ValidatingAdmissionPolicy', () => {
  test('fails and matches equivalent requests in all scopes by default', () => {
    expect(sampleOf(validatingAdmissionPolicy).spec).toMatchObject({
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ scope: '*' }],
      },
    });
  });

  const rule = 'spec.matchConstraints.resourceRules';
  test.each([
    [{ 'spec.matchConstraints': undefined }, ['spec.matchConstraints: Required value']],
    [{ [rule]: [] }, [`${rule}: Required value`]],
    [
      { [`${rule}.0.resourceNames`]: ['web', 'web'] },
      [`${rule}[0].resourceNames[1]: Duplicate value: "web"`],
    ],
    [{ 'spec.paramKind.apiVersion': '' }, ['spec.paramKind.apiVersion: Required value']],
    [
      { 'spec.paramKind.apiVersion': 'a/b/c' },
      ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      { 'spec.paramKind.apiVersion': 'example.com/' },
      ['spec.paramKind.apiVersion: Invalid value: "example.com/": version must be specified'],
    ],
    [
      { 'spec.paramKind.kind': 'Big Map' },
      [
        expect.stringMatching(
          /^spec\.paramKind\.kind: Invalid value: "Big Map": may have mixed case, but should otherwise match: a DNS-1035 label/,
        ),
      ],
    ],
    [
      { 'spec.variables.0.name': 'while' },
      ['spec.variables[0].name: Invalid value: "while": must be a valid CEL identifier'],
    ],
    [
      { 'spec.validations': undefined, 'spec.auditAnnotations': undefined },
      [`spec.validations: ${noItems}`, `spec.auditAnnotations: ${noItems}`],
    ],
    [
      { 'spec.validations.0.expression': ' ' },
      ['spec.validations[0].expression: Required value: expression is not specified'],
    ],
    [
      { 'spec.validations.0.message': 'two\nlines' },
      ['spec.validations[0].message: Invalid value: "two\\nlines": must not contain line breaks'],
    ],
    [
      { 'spec.validations.0.messageExpression': ' ' },
      ['spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified'],
    ],
    [
      { 'spec.validations.0.reason': 'NotFound' },
      [
        'spec.validations[0].reason: Unsupported value: "NotFound": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      { 'spec.auditAnnotations.1': { key: 'replicas', valueExpression: '' } },
      [
        'spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[1].key: Duplicate value: "replicas"',
      ],
    ],
  ])('rejects %j', (changes, whys) => {
    expect(refused(validatingAdmissionPolicy, changes)).toEqual(whys);
  });

  test('rejects incomplete warnings and conditions in its status', () => {
    const changes = {
      'status.typeChecking.expressionWarnings': [{ fieldRef: '', warning: '' }],
      'status.conditions': [
        { type: 'Ready', status: 'Perhaps', reason: 'A', lastTransitionTime: '2024-05-01T10:00:00Z' },
      ],
    };
    expect(refusedStatus(validatingAdmissionPolicy, changes)).toEqual([
      'status.typeChecking.expressionWarnings[0].warning: Required value',
      'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
    ]);
  });
});

describe('ValidatingAdmissionPolicyBinding', () => {
  test('matches equivalent requests by default', () => {
    expect(sampleOf(validatingAdmissionPolicyBinding).spec.matchResources).toMatchObject({
      matchPolicy: 'Equivalent',
      objectSelector: {},
    });
  });

  const exclusive = 'Forbidden: name and selector are mutually exclusive';
  test.each([
    [{ 'spec.policyName': '' }, ['spec.policyName: Required value']],
    [
      { 'spec.validationActions': [] },
      ['spec.validationActions: Required value: at least one validation action is required'],
    ],
    [
      { 'spec.validationActions': ['Deny', 'Warn'] },
      [
        'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      { 'spec.validationActions': ['Log', 'Log'] },
      [
        'spec.validationActions[0]: Unsupported value: "Log": supported values: "Audit", "Deny", "Warn"',
        'spec.validationActions[1]: Unsupported value: "Log": supported values: "Audit", "Deny", "Warn"',
        'spec.validationActions[1]: Duplicate value: "Log"',
      ],
    ],
    [
      { 'spec.paramRef.selector': {} },
      [`spec.paramRef.name: ${exclusive}`, `spec.paramRef.selector: ${exclusive}`],
    ],
    [
      { 'spec.paramRef': { parameterNotFoundAction: 'Skip' } },
      [
        'spec.paramRef: Required value: one of name or selector must be specified',
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "Skip": supported values: "Deny", "Allow"',
      ],
    ],
    [{ 'spec.paramRef': { name: 'limits' } }, ['spec.paramRef.parameterNotFoundAction: Required value']],
  ])('rejects %j', (changes, whys) => {
    expect(refused(validatingAdmissionPolicyBinding, changes)).toEqual(whys);
  });
});
