import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sha256Base32 } from './digest.ts';

describe('A digest in base32', () => {
  test('starts like the names of service chains', () => {
    expect(sha256Base32('ns1/svc1:p80tcp').slice(0, 16)).toBe('XPGD46QRK7WJZT7O');
  });

  test('contains all bits of the digest', () => {
    const bits = [...sha256Base32('kubernetes')]
      .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
      .join('');
    const bytes = Array.from({ length: 32 }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2));
    expect(Buffer.from(bytes).toString('hex')).toBe(createHash('sha256').update('kubernetes').digest('hex'));
    expect(bits.slice(256)).toBe('0000');
  });
});
