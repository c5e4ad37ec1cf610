import { describe, expect, test } from 'vitest';
import { CronScheduleError, parseCronSchedule } from './cron-schedule.ts';
import { TimeZone } from './time-zone.ts';

const ms = (time: string): number => Date.parse(time);

/** Returns the next scheduled time in the format of the zone. */
function next(text: string, after: string, zone = 'UTC'): string | undefined {
  const at = parseCronSchedule(text, new TimeZone(zone)).next(ms(after));
  return at === undefined ? undefined : new TimeZone(zone).format(at);
}

describe('A schedule', () => {
  test.each([
    ...['* * * * *', '*/15 0-6,22 1,15 jan-mar MON', '5/10 ? * * 0', '  1   2 3 4 5  '],
    ...['@hourly', '@midnight', '@every 1h30m', '@every 1.5s', 'TZ=UTC 0 0 * * *'],
  ])('accepts %s', (text) => {
    expect(parseCronSchedule(text).next(0)).toBeGreaterThan(0);
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
    expect(() => parseCronSchedule(text)).toThrow(new CronScheduleError(why));
  });
});

describe('The next time of a schedule', () => {
  test.each([
    ['* * * * *', '2024-04-17T00:00:00Z', '2024-04-17T00:01:00Z'],
    ['* * * * *', '2024-04-17T00:00:59.999Z', '2024-04-17T00:01:00Z'],
    ['*/15 * * * *', '2024-04-17T23:50:10Z', '2024-04-18T00:00:00Z'],
    ['5/20 9-17/4 * * *', '2024-04-17T09:46:00Z', '2024-04-17T13:05:00Z'],
    ['0 0 29 feb *', '2024-03-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 12 31 * *', '2024-04-01T00:00:00Z', '2024-05-31T12:00:00Z'],
    ['@weekly', '2024-04-17T00:00:00Z', '2024-04-21T00:00:00Z'],
    ['@every 90s', '2024-04-17T00:00:00.700Z', '2024-04-17T00:01:30Z'],
    ['@every 1h0.5s', '2024-04-17T00:00:00Z', '2024-04-17T01:00:00Z'],
    ['@every -5m', '2024-04-17T00:00:00Z', '2024-04-17T00:00:01Z'],
    ['TZ=Asia/Tokyo 0 9 * * *', '2024-04-17T00:00:00Z', '2024-04-18T00:00:00Z'],
  ])('%s after %s is %s', (text, after, expected) => {
    expect(next(text, after)).toBe(expected);
  });

  test('fits either the day of the month or the day of the week, if both are restricted', () => {
    expect(next('0 0 1 * fri', '2024-04-17T00:00:00Z')).toBe('2024-04-19T00:00:00Z');
    expect(next('0 0 18 * fri', '2024-04-17T00:00:00Z')).toBe('2024-04-18T00:00:00Z');
  });

  test('fits both, if one of them is a star', () => {
    expect(next('0 0 1 * *', '2024-04-17T00:00:00Z')).toBe('2024-05-01T00:00:00Z');
    expect(next('0 0 */1 * fri', '2024-04-17T00:00:00Z')).toBe('2024-04-19T00:00:00Z');
    // A step of 2 is a restriction.
    expect(next('0 0 */2 * fri', '2024-04-17T12:00:00Z')).toBe('2024-04-19T00:00:00Z');
    expect(next('0 0 */2 * thu', '2024-04-17T12:00:00Z')).toBe('2024-04-18T00:00:00Z');
  });

  test('does not exist for a date that does not exist', () => {
    expect(next('0 0 31 2 *', '2024-04-17T00:00:00Z')).toBeUndefined();
  });
});

describe('The next time of a schedule in a time zone', () => {
  // Rows of upstream's tests: robfig/cron@v3.0.1 spec_test.go TestNext.
  test.each([
    // Clocks go forward: 2 o'clock does not exist.
    ['30 2 11 mar ?', '2012-03-11T00:00:00-05:00', '2013-03-11T02:30:00-04:00'],
    ['0 * * * *', '2012-03-11T01:00:00-05:00', '2012-03-11T03:00:00-04:00'],
    ['0 2 * * ?', '2012-03-11T00:00:00-05:00', '2012-03-12T02:00:00-04:00'],
    ['0 1 * * ?', '2012-03-11T01:00:00-05:00', '2012-03-12T01:00:00-04:00'],
    // Clocks go back: 1 o'clock occurs twice.
    ['30 2 04 nov ?', '2012-11-04T00:00:00-04:00', '2012-11-04T02:30:00-05:00'],
    ['30 1 04 nov ?', '2012-11-04T01:45:00-04:00', '2012-11-04T01:30:00-05:00'],
    ['0 * * * ?', '2012-11-04T01:00:00-04:00', '2012-11-04T01:00:00-05:00'],
    ['0 * * * ?', '2012-11-04T01:00:00-05:00', '2012-11-04T02:00:00-05:00'],
    ['0 1 * * ?', '2012-11-04T00:00:00-04:00', '2012-11-04T01:00:00-04:00'],
    ['0 1 * * ?', '2012-11-04T01:00:00-04:00', '2012-11-04T01:00:00-05:00'],
    ['0 1 * * ?', '2012-11-04T01:00:00-05:00', '2012-11-05T01:00:00-05:00'],
    ['0 2 * * ?', '2012-11-04T02:00:00-05:00', '2012-11-05T02:00:00-05:00'],
  ])('%s after %s is %s in New York', (text, after, expected) => {
    expect(next(text, after, 'America/New_York')).toBe(expected);
  });

  test('survives a midnight that does not exist', () => {
    // On 2018-11-04, clocks of Sao Paulo went from 0 to 1 o'clock.
    expect(next('0 9 10 * ?', '2018-10-17T05:00:00-04:00', 'America/Sao_Paulo')).toBe(
      '2018-11-10T09:00:00-02:00',
    );
    expect(next('0 0 * * *', '2018-11-03T12:00:00Z', 'America/Sao_Paulo')).toBe('2018-11-05T00:00:00-02:00');
  });

  test('survives clock changes of half an hour', () => {
    expect(next('0 2 * * *', '2024-10-05T12:00:00Z', 'Australia/Lord_Howe')).toBe(
      '2024-10-07T02:00:00+11:00',
    );
    expect(next('15 * * * *', '2024-10-05T15:20:00Z', 'Australia/Lord_Howe')).toBe(
      '2024-10-06T03:15:00+11:00',
    );
  });
});
