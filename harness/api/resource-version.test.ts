import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareResourceVersion, InvalidResourceVersion } from './resource-version.ts';

describe('compareResourceVersion', () => {
  test.each([
    ['100', '200', -1],
    ['200', '100', 1],
    ['1', '1', 0],
    ['99', '100', -1],
    ['100', '99', 1],
  ] as const)('%s and %s: %i', (a, b, order) => {
    expect(compareResourceVersion(a, b)).toBe(order);
  });

  test('compares versions of any length', () => {
    const version = fc.bigInt({ min: 1n, max: 10n ** 60n });
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compareResourceVersion(`${a}`, `${b}`)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test.each(['', '0', '0100', '100a', '-1', ' 1', '1.5', '１'])('rejects the version %j', (version) => {
    const message = `resource version is not well formed: ${version}`;
    expect(() => compareResourceVersion(version, '1')).toThrow(new InvalidResourceVersion(version));
    expect(() => compareResourceVersion('1', version)).toThrow(message);
  });
});
