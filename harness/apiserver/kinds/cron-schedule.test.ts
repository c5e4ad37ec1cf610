import { describe, expect, test } from 'vitest';
import { whyNoSchedule } from './cron-schedule.ts';

describe('A schedule', () => {
  test.each([
    ...['* * * * *', '*/15 0-6,22 1,15 jan-mar MON', '5/10 ? * * 0', '  1   2 3 4 5  '],
    ...['@hourly', '@midnight', '@every 1h30m', '@every 1.5s', 'TZ=UTC 0 0 * * *'],
  ])('accepts %s', (text) => {
    expect(whyNoSchedule(text)).toBeUndefined();
  });

  test.each([
    ['', 'empty spec string'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-3 * * * *', 'beginning of range (5) beyond end of range (3): 5-3'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['* * * * -1', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['@weakly', 'unrecognized descriptor: @weakly'],
    ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
    ['TZ=Mars/Base 0 0 * * *', 'provided bad location Mars/Base: unknown time zone Mars/Base'],
  ])('rejects "%s"', (text, why) => {
    expect(whyNoSchedule(text)).toBe(why);
  });
});
