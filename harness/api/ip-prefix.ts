import ipaddr from 'ipaddr.js';

/** An IPv4 or IPv6 address as a number. Equal addresses are not the same object: compare {@link IP.text}. */
export interface IP {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** The shortest form: `10.244.1.2`, `2001:db8::1`. */
  readonly text: string;
}

/** An address and the length of its network prefix: `10.244.1.2/24`. */
export interface IPPrefix {
  readonly ip: IP;
  readonly bits: number;
}

/** Returns the number of bits of an address. */
export function bitsOf({ family }: Pick<IP, 'family'>): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/**
 * Parses an address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) becomes IPv4. @throws Error for an invalid address
 */
export function parseIP(text: string): IP {
  const known = parsed.get(text);
  if (known) return known;
  if (!ipaddr.isValid(text) || /^[\d.]*$/.test(text) !== ipaddr.IPv4.isValidFourPartDecimal(text))
    throw new Error(`Failed to read "${text}": it is no IP address.`);
  const address = ipaddr.process(text);
  const ip = formatIP(
    address.kind() === 'ipv4' ? 4 : 6,
    address.toByteArray().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n),
  );
  if (parsed.size > PARSED_MAX) parsed.clear();
  parsed.set(text, ip);
  return ip;
}

/** A cache, because most addresses are parsed repeatedly. */
const parsed = new Map<string, IP>();
const PARSED_MAX = 10_000;

/** Returns the address with this value. @throws RangeError when the value is outside the family's range */
export function formatIP(family: 4 | 6, value: bigint): IP {
  const bits = bitsOf({ family });
  if (value < 0n || value >> BigInt(bits) !== 0n)
    throw new RangeError(`No IPv${family} address is ${value}.`);
  const bytes = Array.from({ length: bits / 8 }, (_, i) =>
    Number((value >> BigInt(bits - 8 - 8 * i)) & 255n),
  );
  const text = family === 4 ? bytes.join('.') : new ipaddr.IPv6(bytes).toRFC5952String();
  return { family, value, text };
}

/** Adds to an address: `plus(parseIP('10.0.0.255'), 1)` is `10.0.1.0`. @throws RangeError above the last address */
export function plus({ family, value }: IP, more: number | bigint): IP {
  return formatIP(family, value + BigInt(more));
}

/** Parses `10.244.1.0/24`. The address may have host bits. @throws Error for an invalid prefix */
export function parsePrefix(text: string): IPPrefix {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bits = Number(length);
  if (address === '')
    throw new Error(`Failed to read "${text}": it is no address with a length, like 10.244.1.0/24.`);
  const ip = parseIP(address);
  if (bits > bitsOf(ip)) throw new Error(`Failed to read "${text}": an address has ${bitsOf(ip)} bits.`);
  return { ip, bits };
}

/** Formats `10.244.1.2/24`. */
export function formatPrefix({ ip, bits }: IPPrefix): string {
  return `${ip.text}/${bits}`;
}

/** Returns the first address of a network: `10.244.1.0` for `10.244.1.2/24`. */
export function firstOf({ ip, bits }: IPPrefix): IP {
  const host = BigInt(bitsOf(ip) - bits);
  return formatIP(ip.family, (ip.value >> host) << host);
}

/** Returns the last address of a network, its broadcast address: `10.244.1.255` for `10.244.1.2/24`. */
export function lastOf({ ip, bits }: IPPrefix): IP {
  const host = BigInt(bitsOf(ip) - bits);
  return formatIP(ip.family, ip.value | ((1n << host) - 1n));
}

/** Returns whether an address is in a network. An address of the other family never is. */
export function contains({ ip, bits }: IPPrefix, address: IP): boolean {
  if (ip.family !== address.family) return false;
  const host = BigInt(bitsOf(ip) - bits);
  return ip.value >> host === address.value >> host;
}
