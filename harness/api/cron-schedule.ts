import { quote } from './names.ts';
import { isTimeZone, TimeZone, UTC } from './time-zone.ts';

/** The schedule of a CronJob. */
export interface CronSchedule {
  /**
   * Returns the first scheduled time after a time; both in ms since 1970, in whole seconds.
   *
   * @returns undefined if no time within five years fits, as with `0 0 31 2 *`
   */
  next(afterMs: number): number | undefined;
}

/** The text is not a schedule. The message is the one of upstream's parser. */
export class CronScheduleError extends Error {
  override readonly name = 'CronScheduleError';
}

/**
 * Parses a schedule.
 *
 * A schedule has five fields: minute, hour, day of the month, month, day of the week. Each field is a list of
 * numbers, ranges and ranges with steps. A schedule can also be a predefined word such as `@hourly`, or `@every
 * 1h30m`. A prefix such as `TZ=Europe/Berlin` names the time zone.
 *
 * Upstream: robfig/cron@v3.0.1 parser.go ParseStandard
 *
 * @param zone the zone of a schedule without a prefix. @defaultValue UTC
 * @throws CronScheduleError
 */
export function parseCronSchedule(text: string, zone: TimeZone = UTC): CronSchedule {
  if (text === '') throw new CronScheduleError('empty spec string');
  const { name, rest } = /^(?:CRON_)?TZ=(?<name>\S*) (?<rest>.*)$/s.exec(text)?.groups ?? { rest: text };
  if (name && !isTimeZone(name)) {
    throw new CronScheduleError(`provided bad location ${name}: unknown time zone ${name}`);
  }
  return parseInZone(rest?.trim() ?? '', name ? new TimeZone(name) : zone);
}

function parseInZone(text: string, zone: TimeZone): CronSchedule {
  if (text.startsWith('@')) {
    const fields = DESCRIPTORS[text];
    return fields === undefined ? parseEvery(text) : parseInZone(fields, zone);
  }
  const parts = text.split(/\s+/).filter(Boolean);
  if (parts.length !== 5) {
    throw new CronScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  const [minute, hour, day, month, weekday] = parts as [string, string, string, string, string];
  return new FieldSchedule(zone, {
    minute: parseField(minute, { min: 0, max: 59 }),
    hour: parseField(hour, { min: 0, max: 23 }),
    day: parseField(day, { min: 1, max: 31 }),
    month: parseField(month, { min: 1, max: 12, names: MONTHS }),
    weekday: parseField(weekday, { min: 0, max: 6, names: WEEKDAYS }),
  });
}

/** The fields of the predefined words. Upstream: parseDescriptor */
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * Parses `@every 1h30m`. The interval has whole seconds, at least one.
 *
 * Upstream: robfig/cron@v3.0.1 constantdelay.go
 */
function parseEvery(text: string): CronSchedule {
  if (!text.startsWith('@every ')) throw new CronScheduleError(`unrecognized descriptor: ${text}`);
  const duration = text.slice('@every '.length);
  if (!DURATION.test(duration)) {
    const why = `time: invalid duration ${quote(duration)}`;
    throw new CronScheduleError(`failed to parse duration ${text}: ${why}`);
  }
  const parts = [...duration.matchAll(/(?<count>[\d.]+)(?<unit>\D+)/g)];
  const ms = parts.reduce(
    (sum, { groups }) => sum + Number(groups?.count) * (UNITS_MS[groups?.unit ?? ''] ?? 0),
    0,
  );
  const everyMs = duration.startsWith('-') ? 1_000 : Math.max(1_000, toSecond(ms));
  return { next: (afterMs) => toSecond(afterMs) + everyMs };
}

/** Upstream: Go's time.ParseDuration */
const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

const toSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: Readonly<Record<string, number>>;
}

const numbered = (words: string, first: number): Readonly<Record<string, number>> =>
  Object.fromEntries(words.split(' ').map((word, i) => [word, first + i]));

const MONTHS = numbered('jan feb mar apr may jun jul aug sep oct nov dec', 1);
const WEEKDAYS = numbered('sun mon tue wed thu fri sat', 0);

/** The numbers of a field. */
interface Field {
  readonly numbers: ReadonlySet<number>;
  /** Whether the field contains `*`: then it restricts nothing. */
  readonly isStar: boolean;
}

/** Upstream: getField */
function parseField(text: string, bounds: Bounds): Field {
  const ranges = text
    .split(',')
    .filter(Boolean)
    .map((range) => parseRange(range, bounds));
  return {
    numbers: new Set(ranges.flatMap(({ numbers }) => [...numbers])),
    isStar: ranges.some(({ isStar }) => isStar),
  };
}

/** Upstream: getRange */
function parseRange(text: string, bounds: Bounds): Field {
  const fail = (why: string): never => {
    throw new CronScheduleError(`${why}: ${text}`);
  };
  const [range = '', ...steps] = text.split('/');
  const limits = range.split('-');
  const isStar = limits[0] === '*' || limits[0] === '?';
  if (!isStar && limits.length > 2) fail('too many hyphens');
  const [first = 0, last = first] = isStar
    ? [bounds.min, bounds.max]
    : limits.map((limit) => parseNumber(limit, bounds.names));
  if (steps.length > 1) fail('too many slashes');
  const step = steps[0] === undefined ? 1 : parseNumber(steps[0]);
  // A start with a step continues to the maximum of the field.
  const end = limits.length === 1 && steps.length > 0 ? bounds.max : last;
  if (first < bounds.min) fail(`beginning of range (${first}) below minimum (${bounds.min})`);
  if (end > bounds.max) fail(`end of range (${end}) above maximum (${bounds.max})`);
  if (first > end) fail(`beginning of range (${first}) beyond end of range (${end})`);
  if (step === 0) fail('step of range should be a positive number');
  const numbers = new Set<number>();
  for (let number = first; number <= end; number += step) numbers.add(number);
  return { numbers, isStar: isStar && step === 1 };
}

/** Upstream: parseIntOrName */
function parseNumber(text: string, names: Bounds['names'] = {}): number {
  const named = names[text.toLowerCase()];
  if (named !== undefined) return named;
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
    throw new CronScheduleError(`failed to parse int from ${text}: ${why}`);
  }
  const number = Number(text);
  if (number < 0) throw new CronScheduleError(`negative number (${number}) not allowed: ${text}`);
  return number;
}

/**
 * A schedule of five fields in a time zone.
 *
 * When clocks go forward, the skipped local times do not occur. When clocks go back, the repeated ones occur twice.
 *
 * Upstream: robfig/cron@v3.0.1 spec.go SpecSchedule
 */
class FieldSchedule implements CronSchedule {
  readonly #zone: TimeZone;
  readonly #fields: Readonly<Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', Field>>;

  constructor(
    zone: TimeZone,
    fields: Readonly<Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', Field>>,
  ) {
    this.#zone = zone;
    this.#fields = fields;
  }

  next(afterMs: number): number | undefined {
    const time = new Cursor(this.#zone, toSecond(afterMs) + 1_000);
    const lastYear = time.local.getUTCFullYear() + 5;
    while (time.local.getUTCFullYear() <= lastYear) {
      // A field that begins again from its minimum moves a larger field, which is then checked again.
      if (this.#toMonth(time) && this.#toDay(time) && this.#toHour(time) && this.#toMinute(time))
        return time.ms;
    }
    return undefined;
  }

  #toMonth(time: Cursor): boolean {
    while (!this.#fields.month.numbers.has(time.local.getUTCMonth() + 1)) {
      time.truncate('month');
      time.addDate({ months: 1 });
      if (time.local.getUTCMonth() === 0) return false;
    }
    return true;
  }

  #toDay(time: Cursor): boolean {
    while (!this.#isDay(time.local)) {
      time.truncate('day');
      time.addDate({ days: 1 });
      // A clock change at midnight moved the hour.
      const hour = time.local.getUTCHours();
      if (hour !== 0) time.ms += (hour > 12 ? 24 - hour : -hour) * HOUR_MS;
      if (time.local.getUTCDate() === 1) return false;
    }
    return true;
  }

  /** A day fits if either field does, unless one of them is `*`. Upstream: dayMatches */
  #isDay(local: Date): boolean {
    const { day, weekday } = this.#fields;
    const isDay = day.numbers.has(local.getUTCDate());
    const isWeekday = weekday.numbers.has(local.getUTCDay());
    return day.isStar || weekday.isStar ? isDay && isWeekday : isDay || isWeekday;
  }

  #toHour(time: Cursor): boolean {
    while (!this.#fields.hour.numbers.has(time.local.getUTCHours())) {
      time.truncate('hour');
      time.ms += HOUR_MS;
      if (time.local.getUTCHours() === 0) return false;
    }
    return true;
  }

  /** Also moves to the beginning of the minute. */
  #toMinute(time: Cursor): boolean {
    while (!this.#fields.minute.numbers.has(time.local.getUTCMinutes()) || time.local.getUTCSeconds() !== 0) {
      time.nextMinute();
      if (time.local.getUTCMinutes() === 0) return false;
    }
    return true;
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A time that moves forward to the next scheduled one. */
class Cursor {
  readonly #zone: TimeZone;
  #ms = 0;
  #local = new Date(0);
  #isTruncated = false;

  constructor(zone: TimeZone, ms: number) {
    this.#zone = zone;
    this.ms = ms;
  }

  get ms(): number {
    return this.#ms;
  }

  set ms(ms: number) {
    this.#ms = ms;
    this.#local = this.#zone.localAt(ms);
  }

  /** A Date whose UTC fields are the local fields of the time. */
  get local(): Readonly<Date> {
    return this.#local;
  }

  /** Moves back to the beginning of the local month, day or hour, unless the time has moved before. */
  truncate(to: 'month' | 'day' | 'hour'): void {
    if (this.#isTruncated) return;
    this.#isTruncated = true;
    const { local } = this;
    const day = to === 'month' ? 1 : local.getUTCDate();
    const hour = to === 'hour' ? local.getUTCHours() : 0;
    this.ms = this.#zone.timeOf(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), day, hour));
  }

  /** Moves to the beginning of the next minute. */
  nextMinute(): void {
    this.#isTruncated = true;
    this.ms = Math.floor(this.ms / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  }

  /** Keeps the local time of the day. Upstream: Go's Time.AddDate */
  addDate({ months = 0, days = 0 }: { readonly months?: number; readonly days?: number }): void {
    const { local } = this;
    const moved = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, local.getUTCDate() + days);
    this.ms = this.#zone.timeOf(moved + (local.getTime() % DAY_MS));
  }
}

const DAY_MS = 24 * HOUR_MS;
