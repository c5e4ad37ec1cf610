import {
  type IP,
  NotImplemented,
  parseIP,
  parsePrefix,
  type RangeConfiguration,
  type RangeSet,
} from '#harness';
import { canonicalRange } from '#kata/51-ipam/ipam';

/** A range as a configuration says it. */
export interface RawRange {
  readonly subnet: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
}

/** The range, read. */
export function rangeOf({ subnet, rangeStart, rangeEnd, gateway }: RawRange): RangeConfiguration {
  return {
    subnet: parsePrefix(subnet),
    ...(rangeStart && { rangeStart: parseIP(rangeStart) }),
    ...(rangeEnd && { rangeEnd: parseIP(rangeEnd) }),
    ...(gateway && { gateway: parseIP(gateway) }),
  };
}

/** A set of ranges, complete. */
export function setOf(...ranges: readonly RawRange[]): RangeSet {
  return ranges.map((range) => canonicalRange(rangeOf(range)));
}

/** The first `count` addresses of some offers, as texts. */
export function texts(offers: Iterable<{ readonly ip: IP }>, count = 20): readonly string[] {
  const found: string[] = [];
  for (const { ip } of offers) {
    found.push(ip.text);
    if (found.length === count) break;
  }
  return found;
}

/** What a call fails with. */
export function said(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return messageOf(error as Error);
  }
  return 'did not fail';
}

/** What an error says, if it is no function that is not written yet. */
export function messageOf(error: Error): string {
  if (error instanceof NotImplemented) throw error;
  return error.message;
}
