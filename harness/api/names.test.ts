import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  generateName,
  isCIdentifier,
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isEnvVarName,
  isHTTPHeaderName,
  isQualifiedName,
  isValidLabelValue,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNum,
  quote,
} from './names.ts';

const a = (length: number) => 'a'.repeat(length);

describe('Names', () => {
  test.each([
    {
      check: isDNS1123Label,
      valid: ['a', '0', 'a--b', '1-2', a(63)],
      invalid: ['', 'A', 'a.b', '-a', 'a-', 'a\n', a(64)],
    },
    {
      check: isDNS1123Subdomain,
      valid: ['a', 'a.b', '0.1-2', a(253)],
      invalid: ['', 'a..b', '.a', 'a.', 'a_b', 'a-.b', a(254)],
    },
    {
      check: isDNS1035Label,
      valid: ['a', 'a1', 'a--1', a(63)],
      invalid: ['', '1a', 'a.b', 'a-', 'A', a(64)],
    },
    {
      check: isQualifiedName,
      valid: ['a', 'A.b_c-d', '1', 'example.com/a', `${a(253)}/${a(63)}`],
      invalid: ['', '/a', 'a/', 'a/b/c', 'A/b', '-a', 'a_', a(64), `${a(254)}/b`, 'a b'],
    },
    {
      check: isValidLabelValue,
      valid: ['', 'a', 'A_b.c-1', a(63)],
      invalid: ['-', 'a-', 'a b', 'a/b', 'é', a(64)],
    },
    {
      check: isValidPortName,
      valid: ['http', 'a1-b', '1a', a(15)],
      invalid: ['', '80', 'A', 'a--b', '-a', 'a-', a(16)],
    },
    {
      check: isDNS1123SubdomainWithUnderscore,
      valid: ['a', 'a_b', '_ldap._tcp', '0.1-2', a(253)],
      invalid: ['', '_', 'a_', '__a', 'a._', 'A', a(254)],
    },
    {
      check: isEnvVarName,
      valid: ['A', '_', '-a', '.a', 'a.b-1', '1a', 'a b', '..', '~'],
      invalid: ['', '=', 'a=', 'é', 'a\n', '\x7f'],
    },
    { check: isCIdentifier, valid: ['_', 'a1', 'A_B'], invalid: ['', '1a', 'a-b'] },
    { check: isHTTPHeaderName, valid: ['X-A', '1'], invalid: ['', 'X_A', 'X A', 'X:'] },
    {
      check: isConfigMapKey,
      valid: ['a', '.a', '-', '1', a(253)],
      invalid: ['', '.', '..', '..a', 'a/b', a(254)],
    },
    { check: isValidPathSegmentName, valid: ['', 'A:b', '...'], invalid: ['.', '..', 'a/b', '50%'] },
  ])('$check.name accepts $valid and rejects $invalid', ({ check, valid, invalid }) => {
    for (const value of valid) expect([value, check(value)]).toEqual([value, []]);
    for (const value of invalid) expect([value, check(value).length > 0]).toEqual([value, true]);
  });

  test('a port number is from 1 to 65535', () => {
    for (const port of [1, 65535]) expect(isValidPortNum(port)).toEqual([]);
    for (const port of [0, -1, 65536])
      expect(isValidPortNum(port)).toEqual(['must be between 1 and 65535, inclusive']);
  });

  test('lengths count bytes', () => {
    expect(isValidLabelValue('é'.repeat(32))[0]).toBe('must be no more than 63 bytes');
    expect(isValidLabelValue('é'.repeat(31))[0]).not.toBe('must be no more than 63 bytes');
  });
});

describe('Error messages of the API', () => {
  test.each([
    {
      check: isDNS1123Label,
      value: 'A',
      errors: [
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    { check: isDNS1123Label, value: 'a.b', errors: ['must not contain dots'] },
    {
      check: isDNS1123Subdomain,
      value: '-',
      errors: [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    },
    {
      check: isDNS1035Label,
      value: '1',
      errors: [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    {
      check: isQualifiedName,
      value: '/',
      errors: [
        'prefix part must be non-empty',
        'name part must be non-empty',
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    },
    {
      check: isQualifiedName,
      value: 'a/b/c',
      errors: [
        "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
      ],
    },
    {
      check: isValidLabelValue,
      value: 'a b',
      errors: [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    },
    {
      check: isValidPortName,
      value: '-0--0000000000000-',
      errors: [
        'must be no more than 15 characters',
        'must contain at least one letter (a-z)',
        'must not contain consecutive hyphens',
        'must not begin or end with a hyphen',
      ],
    },
    { check: isEnvVarName, value: '', errors: ['environment variable name must be non-empty'] },
    {
      check: isEnvVarName,
      value: 'a=',
      errors: [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ],
    },
    {
      check: isDNS1123SubdomainWithUnderscore,
      value: '-',
      errors: [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
      ],
    },
    { check: isConfigMapKey, value: '..a', errors: ["must not start with '..'"] },
    { check: isValidPathSegmentName, value: '.', errors: ["may not be '.'"] },
    { check: isValidPathSegmentName, value: 'a/%', errors: ["may not contain '/'", "may not contain '%'"] },
  ])('$check.name rejects $value', ({ check, value, errors }) => {
    expect(check(value)).toEqual(errors);
  });

  test('a quoted value escapes non-printable characters', () => {
    expect(quote('a "b" \\ \n\x00\x7f \u00a0 \u{e0001} é')).toBe(
      '"a \\"b\\" \\\\ \\n\\x00\\x7f \\u00a0 \\U000e0001 é"',
    );
  });
});

describe('generateName', () => {
  test('appends five characters of its alphabet', () => {
    expect(generateName('web-', () => 0)).toBe('web-bbbbb');
    expect(generateName('web-', () => 1 - Number.EPSILON)).toBe('web-99999');
  });

  test('truncates the base to make room for them', () => {
    expect(generateName(a(58), () => 0)).toBe(`${a(58)}bbbbb`);
    expect(generateName(a(59), () => 0)).toBe(`${a(58)}bbbbb`);
  });

  test('generates a valid name of at most 63 characters from a valid base', () => {
    const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][-a-z0-9]{40,70}$/), random, (base, numbers) => {
        const name = generateName(base, () => numbers.next().value);
        expect(name.length).toBeLessThanOrEqual(63);
        expect(isDNS1035Label(name)).toEqual([]);
        expect(name.slice(0, -5)).toBe(base.slice(0, 58));
      }),
    );
  });
});
