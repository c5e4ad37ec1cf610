import ipaddr from 'ipaddr.js';
import { quote } from './names.ts';

/**
 * Checks an IPv4 or IPv6 address in any spelling. It rejects zones and prefixes. It also rejects spellings that
 * programs interpret differently: leading zeros in an octet ("010.0.0.1" is 8.0.0.1 to some), and IPv4-mapped IPv6
 * addresses.
 *
 * The checks of this file define the spellings of addresses and networks that the API accepts. Each returns the reasons
 * why a value is invalid; the list is empty for a valid value.
 *
 * @param old values in the stored object; they stay valid, because old objects may contain such spellings
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go IsValidIPForLegacyField, over kubernetes/utils
 * net/parse.go ParseIPSloppy
 */
export function isValidIP(value: string, old: readonly string[] = []): string[] {
  if (old.includes(value)) return [];
  if (!isIP(value)) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (isPadded(value)) return ['must not have leading 0s'];
  return isMapped(value) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/**
 * Checks a network, `10.9.8.0/24`. It rejects a host address with a prefix length, `10.9.8.7/24`, and the spellings
 * that {@link isValidIP} rejects.
 *
 * @param old values in the stored object
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go IsValidCIDRForLegacyField
 */
export function isValidCIDR(value: string, old: readonly string[] = []): string[] {
  if (old.includes(value)) return [];
  const [, ip = '', bits = ''] = /^(.*)\/(\d+)$/.exec(value) ?? [];
  if (!isIP(ip) || Number(bits) > (ip.includes(':') ? 128 : 32)) {
    return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  }
  if (isPadded(ip) || /^0\d/.test(bits)) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(ip)) return ['must not have an IPv4-mapped IPv6 address'];
  const address = ipaddr.parse(ip);
  const network = (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(value);
  return `${network}` === `${address}` ? [] : ['must not have bits set beyond the prefix length'];
}

/**
 * Checks an address like {@link isValidIP}, and accepts only its canonical spelling.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go IsValidIP
 */
export function isCanonicalIP(value: string): string[] {
  const reasons = isValidIP(value);
  return reasons.length > 0 ? reasons : otherThan(value, canonicalIP(value));
}

/**
 * Checks a network like {@link isValidCIDR}, and accepts only its canonical spelling.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go IsValidCIDR
 */
export function isCanonicalCIDR(value: string): string[] {
  const reasons = isValidCIDR(value);
  if (reasons.length > 0) return reasons;
  const [ip = '', bits = ''] = value.split('/');
  return otherThan(value, `${canonicalIP(ip)}/${bits}`);
}

const otherThan = (value: string, canonical: string): string[] =>
  value === canonical ? [] : [`must be in canonical form (${quote(canonical)})`];

/**
 * Returns warnings about an accepted address with a non-standard spelling: an old value, or an IPv6 address that is not
 * in its shortest form.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go GetWarningsForIP
 */
export function warnOfIP(value: string, path: string): string[] {
  if (!isIP(value)) return [];
  const canonical = canonicalIP(value);
  if (isPadded(value) || isMapped(value)) {
    return [`${path}: non-standard IP address ${quote(value)} is invalid: use ${quote(canonical)}`];
  }
  return canonical === value || !value.includes(':')
    ? []
    : [`${path}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

/**
 * Returns warnings about a network, like {@link warnOfIP}.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go GetWarningsForCIDR
 *
 * Differs: it has no warnings about values that are accepted only because the stored object has them.
 */
export function warnOfCIDR(value: string, path: string): string[] {
  const [ip = '', bits = ''] = value.split('/');
  if (!isIP(ip) || isValidCIDR(value).length > 0 || !ip.includes(':')) return [];
  const canonical = `${canonicalIP(ip)}/${bits}`;
  return canonical === value
    ? []
    : [
        `${path}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`,
      ];
}

/** Returns the canonical spelling of a valid address. An IPv4-mapped IPv6 address becomes IPv4. */
export function canonicalIP(ip: string): string {
  if (!ip.includes(':')) return ip.split('.').map(Number).join('.');
  const address = ipaddr.process(ip.replace(/(^|:)0+(?=[^:.]{4}(:|$))/g, '$1'));
  return address.kind() === 'ipv4' ? `${address}` : (address as ipaddr.IPv6).toRFC5952String();
}

/**
 * Returns whether the text is an address in any spelling that was ever accepted. Leading zeros in an octet are read as
 * decimal.
 */
export function isIP(value: string): boolean {
  return /^[^:]*\./.test(value) ? isIPv4(value) : isIPv6(value);
}

function isPadded(ip: string): boolean {
  const dotted = ip.slice(ip.lastIndexOf(':') + 1);
  return (dotted.includes('.') && /(^|\.)0\d/.test(dotted)) || /[^:.]{5}/.test(ip);
}

/** Returns whether the address is an IPv4-mapped IPv6 address. */
function isMapped(ip: string): boolean {
  return ip.includes(':') && ipaddr.IPv6.parse(ip).isIPv4MappedAddress();
}

function isIPv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => /^\d+$/.test(octet) && Number(octet) <= 0xff);
}

function isIPv6(text: string): boolean {
  const halves = text.split('::');
  const chunks = halves.map((half) => (half === '' ? [] : half.split(':')));
  let groups = chunks.flat().length;
  // The last 32 bits can be written as IPv4; they replace two groups.
  const last = chunks.at(-1)?.at(-1);
  if (last?.includes('.')) {
    if (!isIPv4(last)) return false;
    chunks.at(-1)?.pop();
    groups += 1;
  }
  const isHex = (chunk: string) => /^[0-9a-f]+$/i.test(chunk) && Number.parseInt(chunk, 16) <= 0xffff;
  if (!chunks.flat().every(isHex)) return false;
  // "::" replaces at least one group of zeros.
  return halves.length === 1 ? groups === 8 : halves.length === 2 && groups < 8;
}
