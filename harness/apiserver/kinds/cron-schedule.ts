import { quote } from '../../api/names.ts';

/**
 * Returns why a text is not a schedule; undefined when it is one.
 *
 * A schedule has five fields: minute, hour, day of the month, month, day of the week. Each field is a list of
 * numbers, ranges and ranges with steps. A schedule can also be a predefined word such as `@hourly`, or `@every
 * 1h30m`.
 *
 * Upstream: robfig/cron@v3.0.1 parser.go ParseStandard
 */
export function whyNoSchedule(text: string): string | undefined {
  if (text === '') return 'empty spec string';
  const { zone, rest } = /^(?:CRON_)?TZ=(?<zone>\S*) (?<rest>.*)$/s.exec(text)?.groups ?? { rest: text };
  if (zone && !isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  const schedule = rest?.trim() ?? '';
  if (schedule.startsWith('@')) return whyNoDescriptor(schedule);
  const parts = schedule.split(/\s+/).filter(Boolean);
  if (parts.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  for (const [i, field] of FIELDS.entries()) {
    for (const range of (parts[i] as string).split(',').filter(Boolean)) {
      const why = whyNoRange(range, field);
      if (why) return why;
    }
  }
  return undefined;
}

/** Does a time zone with this name exist? */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: Readonly<Record<string, number>>;
}

const numbered = (words: string, first: number): Readonly<Record<string, number>> =>
  Object.fromEntries(words.split(' ').map((word, i) => [word, first + i]));

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: numbered('jan feb mar apr may jun jul aug sep oct nov dec', 1) },
  { min: 0, max: 6, names: numbered('sun mon tue wed thu fri sat', 0) },
];

/** Upstream: getRange */
function whyNoRange(text: string, field: Field): string | undefined {
  const [range = '', ...steps] = text.split('/');
  const limits = range.split('-');
  const isAll = limits[0] === '*' || limits[0] === '?';
  if (!isAll && limits.length > 2) return `too many hyphens: ${text}`;
  const numbers = isAll ? [field.min, field.max] : limits.map((limit) => numberOf(limit, field));
  const step = steps.length === 0 ? 1 : numberOf(steps[0] as string, { min: 0, max: 0 });
  for (const number of numbers) if (typeof number === 'string') return number;
  if (steps.length > 1) return `too many slashes: ${text}`;
  if (typeof step === 'string') return step;
  const [first = 0, last = first] = numbers as number[];
  // A start with a step continues to the maximum of the field.
  const end = limits.length === 1 && steps.length > 0 ? field.max : last;
  if (first < field.min) return `beginning of range (${first}) below minimum (${field.min}): ${text}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${text}`;
  if (first > end) return `beginning of range (${first}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

/** Upstream: parseIntOrName */
function numberOf(text: string, { names }: Field): number | string {
  const named = names?.[text.toLowerCase()];
  if (named !== undefined) return named;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Upstream: parseDescriptor */
function whyNoDescriptor(text: string): string | undefined {
  if (DESCRIPTORS.includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${quote(duration)}`;
}

/** Upstream: Go's time.ParseDuration */
const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
