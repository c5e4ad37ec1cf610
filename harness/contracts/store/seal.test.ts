import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seal, unseal } from './seal.ts';

describe('A sealed line', () => {
  test('has the CRC-32 of its text', () => {
    expect(seal('123456789')).toBe('cbf43926 123456789\n');
    expect(seal('grün €')).toBe('5a004fe0 grün €\n');
  });

  test('opens to its text, and not if a character is lost or different', () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: 'binary' }),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (text, at, other) => {
          const line = seal(text).slice(0, -1);
          expect(unseal(line)).toBe(text);
          const i = at % line.length;
          expect(unseal(line.slice(0, i))).toBeUndefined();
          if (line[i] !== other) expect(unseal(line.slice(0, i) + other + line.slice(i + 1))).toBeUndefined();
        },
      ),
    );
  });
});
