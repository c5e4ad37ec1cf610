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
    [tooLong('a', 5), 'FieldValueTooLong', 'Too long: may not be more than 5 bytes'],
    [tooLong('a', 1), 'FieldValueTooLong', 'Too long: may not be more than 1 byte'],
    [tooMany('a', 7, 5), 'FieldValueTooMany', 'Too many: 7: must have at most 5 items'],
    [tooMany('a', 7, 1), 'FieldValueTooMany', 'Too many: 7: must have at most 1 item'],
    [typeInvalid('a', 3, 'must be string'), 'FieldValueTypeInvalid', 'Invalid value: 3: must be string'],
    [notFound('a', 'x'), 'FieldValueNotFound', 'Not found: "x"'],
    [internal('a', 'oops'), 'InternalError', 'Internal error: oops'],
  ])('%o has upstream’s message', (cause, reason, message) => {
    expect(cause).toEqual({ field: 'a', reason, message });
  });

  test.each([
    [['x'], '["x"]'],
    [
      { matchLabels: { b: '1', a: '2' }, matchExpressions: [] },
      '{"matchLabels":{"a":"2","b":"1"},"matchExpressions":[]}',
    ],
    [['<a> & \u2028'], '["\\u003ca\\u003e \\u0026 \\u2028"]'],
    [null, 'null'],
  ])('prints %o as Go’s JSON', (value, shown) => {
    expect(invalid('a', value, 'no').message).toBe(`Invalid value: ${shown}: no`);
  });

  test('repeats a value for each reason', () => {
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
