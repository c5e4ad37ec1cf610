import { describe, expect, test } from 'vitest';
import vectors from '../conformance/names.json' with { type: 'json' };
import {
  isCIdentifier,
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isEnvVarName,
  isHTTPHeaderName,
  isQualifiedName,
  isValidLabelValue,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNum,
} from './names.ts';

type Case = {
  id: string;
  op: string;
  name: string;
  input: { values: (string | number)[] };
  expect: { valid: boolean };
};

describe('Names, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const ofText =
    (check: (value: string) => string[]) =>
    (value: string | number): string[] =>
      check(String(value));
  const checks: Readonly<Record<string, (value: string | number) => string[]>> = {
    dns1123Label: ofText(isDNS1123Label),
    dns1123Subdomain: ofText(isDNS1123Subdomain),
    dns1035Label: ofText(isDNS1035Label),
    portNumber: (value) => isValidPortNum(Number(value)),
    portName: ofText(isValidPortName),
    labelKey: ofText(isQualifiedName),
    labelValue: ofText(isValidLabelValue),
    httpHeaderName: ofText(isHTTPHeaderName),
    configMapKey: ofText(isConfigMapKey),
    envVarName: ofText(isEnvVarName),
    cIdentifier: ofText(isCIdentifier),
    pathSegmentName: ofText(isValidPathSegmentName),
  };

  test('cover every check, with valid and invalid values', () => {
    expect(cases.map(({ op, expect: { valid } }) => [op, valid])).toEqual(
      Object.keys(checks).flatMap((op) => [
        [op, true],
        [op, false],
      ]),
    );
    expect(cases.flatMap(({ input }) => input.values)).toHaveLength(428);
  });

  const values = cases.flatMap(({ id, op, input, expect: { valid } }) =>
    input.values.map((value) => ({ id, op, value, valid })),
  );
  test.each(values)('$id $value: $valid', ({ op, value, valid }) => {
    expect((checks[op]?.(value) ?? []).length === 0, String(checks[op]?.(value))).toBe(valid);
  });
});
