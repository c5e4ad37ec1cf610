/** A time zone of the IANA database, as far as JavaScript knows it. Times are milliseconds since 1970. */
export class TimeZone {
  /** Undefined for UTC, whose offset is always 0. */
  readonly #offsets: Intl.DateTimeFormat | undefined;

  /**
   * @param name such as `Europe/Berlin`
   * @throws RangeError when no zone has this name
   */
  constructor(name: string) {
    const options = { timeZone: name, timeZoneName: 'longOffset' } as const;
    this.#offsets = name === 'UTC' ? undefined : new Intl.DateTimeFormat('en', options);
  }

  /** Returns how far the local time is ahead of UTC, in ms. */
  offsetMs(ms: number): number {
    const name = this.#offsets?.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value;
    const {
      sign,
      h,
      m,
      s = 0,
    } = /(?<sign>[+-])(?<h>\d+):(?<m>\d+)(?::(?<s>\d+))?$/.exec(name ?? '')?.groups ?? {};
    if (sign === undefined) return 0;
    return (sign === '-' ? -1_000 : 1_000) * (Number(h) * 3_600 + Number(m) * 60 + Number(s));
  }

  /** Returns a Date whose UTC fields are the local fields of this time. */
  localAt(ms: number): Date {
    return new Date(ms + this.offsetMs(ms));
  }

  /**
   * Returns the time with these local fields. A local time that a clock change skips or repeats belongs to the offset
   * before or after the change, as Go decides it.
   *
   * Upstream: Go's time.Date
   *
   * @param localMs the local fields, read as UTC
   */
  timeOf(localMs: number): number {
    return localMs - this.offsetMs(localMs - this.offsetMs(localMs));
  }

  /** Formats a time in RFC 3339 with the offset of this zone: `2024-04-17T02:00:00+02:00`. */
  format(ms: number): string {
    const minutes = this.offsetMs(ms) / 60_000;
    const local = this.localAt(ms).toISOString().slice(0, 19);
    if (minutes === 0) return `${local}Z`;
    const [h, m] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
      String(n).padStart(2, '0'),
    );
    return `${local}${minutes < 0 ? '-' : '+'}${h}:${m}`;
  }
}

/** The zone of schedules that name no other. */
export const UTC: TimeZone = new TimeZone('UTC');

/** Returns whether a time zone with this name exists. */
export function isTimeZone(name: string): boolean {
  try {
    new TimeZone(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
