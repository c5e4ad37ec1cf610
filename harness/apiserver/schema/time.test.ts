import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalMicroTime, canonicalTime, TimeError } from './time.ts';

describe('Time', () => {
  test.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-05-01T12:00:00.999Z', '2024-05-01T12:00:00Z'],
    ['2024-05-01T12:00:00,9Z', '2024-05-01T12:00:00Z'],
    ['2024-05-01T01:30:00+02:00', '2024-04-30T23:30:00Z'],
    ['2024-05-01T7:00:00Z', '2024-05-01T07:00:00Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
  ])('reads %s', (text, canonical) => {
    expect(canonicalTime(text)).toBe(canonical);
  });

  const layout = 'as "2006-01-02T15:04:05Z07:00"';
  test.each([
    ['', `parsing time "" ${layout}: cannot parse "" as "2006"`],
    [
      '2024-5-01T12:00:00Z',
      `parsing time "2024-5-01T12:00:00Z" ${layout}: cannot parse "5-01T12:00:00Z" as "01"`,
    ],
    [
      '2024-05-01 12:00:00Z',
      `parsing time "2024-05-01 12:00:00Z" ${layout}: cannot parse " 12:00:00Z" as "T"`,
    ],
    ['2024-05-01T12:00:00', `parsing time "2024-05-01T12:00:00" ${layout}: cannot parse "" as "Z07:00"`],
    ['2024-13-01T12:00:00Z', 'parsing time "2024-13-01T12:00:00Z": month out of range'],
    ['2023-02-29T12:00:00Z', 'parsing time "2023-02-29T12:00:00Z": day out of range'],
    ['2024-05-01T24:00:00Z', 'parsing time "2024-05-01T24:00:00Z": hour out of range'],
    ['2024-05-01T12:00:60Z', 'parsing time "2024-05-01T12:00:60Z": second out of range'],
    ['2024-05-01T12:00:00Zulu', 'parsing time "2024-05-01T12:00:00Zulu": extra text: "ulu"'],
  ])('rejects %j', (text, message) => {
    expect(() => canonicalTime(text)).toThrow(new TimeError(message));
  });

  test('Stable: formatted times stay unchanged, and so does any time in whole seconds', () => {
    const year9999 = 253_402_300_799_000;
    const moments = fc.integer({ min: 0, max: year9999 / 1000 }).map((seconds) => new Date(seconds * 1000));
    fc.assert(
      fc.property(moments, (moment) => {
        const text = moment.toISOString().replace('.000', '');
        expect(canonicalTime(text)).toBe(text);
        expect(canonicalTime(text.replace('Z', '+00:00'))).toBe(text);
      }),
    );
  });
});

describe('MicroTime', () => {
  test('requires six digits after the decimal point', () => {
    expect(canonicalMicroTime('2024-05-01T12:00:00.000001Z')).toBe('2024-05-01T12:00:00.000001Z');
    expect(canonicalMicroTime('2024-05-01T14:00:00.000001+02:00')).toBe('2024-05-01T12:00:00.000001Z');
    expect(() => canonicalMicroTime('2024-05-01T12:00:00Z')).toThrow(
      'parsing time "2024-05-01T12:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    );
  });
});
