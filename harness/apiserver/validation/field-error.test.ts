import { describe, expect, test } from 'vitest';
import { errors, StatusError } from '../../api/status.ts';
import {
  duplicate,
  forbidden,
  internal,
  invalid,
  invalidEach,
  notFound,
  notSupported,
  required,
  timeValue,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.ts';

describe('field error', () => {
  test.each([
    [invalid('a', 'x y', 'must be short'), 'FieldValueInvalid', 'Invalid value: "x y": must be short'],
    [invalid('a', -1, 'must be positive'), 'FieldValueInvalid', 'Invalid value: -1: must be positive'],
    [invalid('a', true, 'no'), 'FieldValueInvalid', 'Invalid value: true: no'],
    [invalid('a', undefined, 'no'), 'FieldValueInvalid', 'Invalid value: null: no'],
    [required('a'), 'FieldValueRequired', 'Required value'],
    [required('a', 'say why'), 'FieldValueRequired', 'Required value: say why'],
    [
      notSupported('a', 'C', ['A', 'B']),
      'FieldValueNotSupported',
      'Unsupported value: "C": supported values: "A", "B"',
    ],
    [notSupported('a', 'C', []), 'FieldValueNotSupported', 'Unsupported value: "C"'],
    [duplicate('a', 'x'), 'FieldValueDuplicate', 'Duplicate value: "x"'],
    [forbidden('a', 'not now'), 'FieldValueForbidden', 'Forbidden: not now'],
    [tooLong('a', 5), 'FieldValueTooLong', 'Too long: must have at most 5 bytes'],
    [tooMany('a', 7, 5), 'FieldValueTooMany', 'Too many: 7: must have at most 5 items'],
    [typeInvalid('a', 3, 'must be string'), 'FieldValueTypeInvalid', 'Invalid value: 3: must be string'],
    [notFound('a', 'x'), 'FieldValueNotFound', 'Not found: "x"'],
    [internal('a', 'oops'), 'InternalError', 'Internal error: oops'],
  ])('%o speaks upstream’s words', (cause, reason, message) => {
    expect(cause).toEqual({ field: 'a', reason, message });
  });

  test('shows a list as JSON, where upstream shows Go', () => {
    expect(invalid('a', ['x'], 'no').message).toBe('Invalid value: ["x"]: no');
  });

  test('shows a time as Go does', () => {
    expect(invalid('a', timeValue('2024-05-01T10:00:00Z'), 'no').message).toBe(
      'Invalid value: 2024-05-01 10:00:00 +0000 UTC: no',
    );
    expect(invalid('a', timeValue('2024-05-01T10:00:00.120Z'), 'no').message).toBe(
      'Invalid value: 2024-05-01 10:00:00.12 +0000 UTC: no',
    );
    expect(invalid('a', timeValue(undefined), 'no').message).toBe('Invalid value: null: no');
  });

  test('repeats a value for each reason against it', () => {
    expect(invalidEach('a', 'x', ['too short', 'too plain'])).toEqual([
      invalid('a', 'x', 'too short'),
      invalid('a', 'x', 'too plain'),
    ]);
  });

  test('becomes a 422 whose message names every field', () => {
    const kind = { group: 'apps', kind: 'Deployment' };
    const error = errors.invalid(kind, 'web', [required('spec.a'), forbidden('spec.b', 'no')]);
    expect(error).toBeInstanceOf(StatusError);
    expect(error.message).toBe(
      'Deployment.apps "web" is invalid: [spec.a: Required value, spec.b: Forbidden: no]',
    );
  });
});
