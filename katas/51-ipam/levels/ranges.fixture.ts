import type { RangeConfiguration, RangeSet } from '#given/51-ipam';
import { type IP, NotImplemented, parseIP, parsePrefix } from '#harness';
import { canonicalRange } from '#kata/51-ipam/ipam';

/** A range of a configuration. */
export interface RawRange {
  readonly subnet: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
}

/** Parses a range. */
export function rangeOf({ subnet, rangeStart, rangeEnd, gateway }: RawRange): RangeConfiguration {
  return {
    subnet: parsePrefix(subnet),
    ...(rangeStart && { rangeStart: parseIP(rangeStart) }),
    ...(rangeEnd && { rangeEnd: parseIP(rangeEnd) }),
    ...(gateway && { gateway: parseIP(gateway) }),
  };
}

/** Creates a set of complete ranges. */
export function setOf(...ranges: readonly RawRange[]): RangeSet {
  return ranges.map((range) => canonicalRange(rangeOf(range)));
}

/** Returns the texts of the first `count` offered addresses. */
export function texts(offers: Iterable<{ readonly ip: IP }>, count = 20): readonly string[] {
  const found: string[] = [];
  for (const { ip } of offers) {
    found.push(ip.text);
    if (found.length === count) break;
  }
  return found;
}

/** Returns the error message of a call. */
export function said(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return messageOf(error as Error);
  }
  return 'did not fail';
}

/** Returns the message of an error; rethrows that of a function that is not implemented yet. */
export function messageOf(error: Error): string {
  if (error instanceof NotImplemented) throw error;
  return error.message;
}

/** Describes a step of a sequence of ADDs: `ADD b (step 2 of a, b, with the ranges [{"subnet":"10.1.2.0/29"}])`. */
export function describeStep(
  steps: readonly { readonly get: string; readonly ip?: string }[],
  index: number,
  ranges: readonly RawRange[],
): string {
  const texts = steps.map(({ get, ip }) => (ip ? `${get} for ${ip}` : get));
  return `ADD ${texts[index]} (step ${index + 1} of ${texts.join(', ')}, with the ranges ${JSON.stringify(ranges)})`;
}
