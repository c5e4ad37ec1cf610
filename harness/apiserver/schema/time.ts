import { quote } from '../../api/names.ts';

/** The error for a string that is not a time. Clients see its message. */
export class TimeError extends Error {
  override readonly name = 'TimeError';
}

/**
 * Returns a time in the form of the apiserver: in UTC and whole seconds, with fractions cut off.
 *
 * This module parses and prints the times of the API, Time and MicroTime, with Go's error messages.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/{time,micro_time}.go UnmarshalJSON; the words
 * are those of time.Parse in Go's standard library
 *
 * @throws TimeError
 */
export function canonicalTime(text: string): string {
  return USUAL_TIME.test(text) ? text : format(parse(text, RFC3339), 0);
}

/**
 * Returns a time in microseconds in the form of the apiserver: in UTC. The text must have six digits after the decimal
 * point.
 *
 * @throws TimeError
 */
export function canonicalMicroTime(text: string): string {
  return USUAL_MICRO_TIME.test(text) ? text : format(parse(text, RFC3339_MICRO), 6);
}

/** Every date except February 29th, which depends on the year. */
const DATE = /(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31/
  .source;
const TIME = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/.source;
const USUAL_TIME = new RegExp(`^\\d{4}-(?:${DATE})T${TIME}Z$`);
const USUAL_MICRO_TIME = new RegExp(`^\\d{4}-(?:${DATE})T${TIME}\\.\\d{6}Z$`);

/** A layout in Go's notation: the elements of a time, each by its reference value. */
type Layout = readonly string[];

const RFC3339: Layout = ['2006', '-', '01', '-', '02', 'T', '15', ':', '04', ':', '05', 'Z07:00'];
const RFC3339_MICRO: Layout = [...RFC3339.slice(0, -1), '.000000', 'Z07:00'];

/** Numeric elements: their pattern, their name, and their range. */
const NUMBERS: Readonly<Record<string, readonly [pattern: RegExp, name: string, min: number, max: number]>> =
  {
    '2006': [/^\d{4}/, 'year', 0, 9999],
    '01': [/^\d\d/, 'month', 1, 12],
    '02': [/^\d\d/, 'day', 0, 99],
    // Go accepts a single digit for the hour.
    '15': [/^\d\d?/, 'hour', 0, 23],
    '04': [/^\d\d/, 'minute', 0, 59],
    '05': [/^\d\d/, 'second', 0, 59],
  };

interface Moment {
  readonly milliseconds: number;
  /** The digits after the decimal point. */
  readonly fraction: string;
}

function parse(text: string, layout: Layout): Moment {
  const told = `parsing time ${quote(text)}`;
  const read: Record<string, number> = {};
  let rest = text;
  let fraction = '';
  let offsetMinutes = 0;
  const take = (pattern: RegExp, element: string): string => {
    const match = pattern.exec(rest)?.[0];
    if (match === undefined) {
      const as = quote(layout.join(''));
      throw new TimeError(`${told} as ${as}: cannot parse ${quote(rest)} as ${quote(element)}`);
    }
    rest = rest.slice(match.length);
    return match;
  };
  for (const element of layout) {
    const number = NUMBERS[element];
    if (number !== undefined) {
      const [pattern, name, min, max] = number;
      const value = Number(take(pattern, element));
      if (value < min || value > max) throw new TimeError(`${told}: ${name} out of range`);
      read[element] = value;
      // A fraction may follow the seconds even if the layout has none.
      if (element === '05' && layout === RFC3339) {
        fraction = /^[.,]\d+/.exec(rest)?.[0] ?? '';
        rest = rest.slice(fraction.length);
      }
    } else if (element === '.000000') {
      fraction = take(/^[.,]\d{6}/, element);
    } else if (element === 'Z07:00') {
      const zone = take(/^(?:Z|[+-]\d\d:\d\d)/, element);
      if (zone !== 'Z') {
        const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
        if (hours > 24) throw new TimeError(`${told}: time zone offset hour out of range`);
        if (minutes > 60) throw new TimeError(`${told}: time zone offset minute out of range`);
        offsetMinutes = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
      }
    } else {
      take(new RegExp(`^${element}`), element);
    }
  }
  if (rest !== '') throw new TimeError(`${told}: extra text: ${quote(rest)}`);
  const {
    '2006': year = 0,
    '01': month = 0,
    '02': day = 0,
    '15': hour = 0,
    '04': minute = 0,
    '05': second = 0,
  } = read;
  const date = new Date(0);
  // Date.UTC would map the years 0 to 99 to the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw new TimeError(`${told}: day out of range`);
  }
  date.setUTCHours(hour, minute - offsetMinutes, second);
  return { milliseconds: date.getTime(), fraction: fraction.slice(1) };
}

function format({ milliseconds, fraction }: Moment, digits: number): string {
  const seconds = new Date(milliseconds).toISOString().slice(0, 19);
  return `${seconds}${digits > 0 ? `.${fraction.slice(0, digits).padEnd(digits, '0')}` : ''}Z`;
}
