import { expect, test } from 'vitest';
import {
  validatingAdmissionPolicyBindingColumns,
  validatingAdmissionPolicyColumns,
  webhookConfigurationColumns,
} from './admission.ts';
import { cells, daysAgo, row } from './cells.fixture.ts';

const metadata = { name: 'a', creationTimestamp: daysAgo(3) };

test('a configuration shows the number of its webhooks', () => {
  expect(row(webhookConfigurationColumns, { metadata })).toEqual(['a', 0, '3d']);
});

test('a policy shows its validations and the kind of its parameters', () => {
  expect(row(validatingAdmissionPolicyColumns, { metadata, spec: {} })).toEqual(['a', 0, '<unset>', '3d']);
  const spec = {
    validations: [{ expression: 'true' }],
    paramKind: { apiVersion: 'apps/v1', kind: 'Deployment' },
  };
  const shown = cells(validatingAdmissionPolicyColumns, { spec });
  expect(shown).toMatchObject({ Validations: 1, ParamKind: 'apps/v1/Deployment' });
});

test.each([
  [undefined, '<unset>'],
  [{ name: 'b' }, '*/b'],
  [{ name: 'b', namespace: 'c' }, 'c/b'],
  [
    {
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
      },
    },
    '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
  ],
])('a binding shows its parameters %j', (paramRef, shown) => {
  const spec = { policyName: 'p', validationActions: ['Deny'], ...(paramRef && { paramRef }) };
  expect(cells(validatingAdmissionPolicyBindingColumns, { spec })).toMatchObject({
    PolicyName: 'p',
    ParamRef: shown,
  });
});
