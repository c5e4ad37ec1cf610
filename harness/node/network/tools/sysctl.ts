import type { NetworkNamespace } from '../stack/namespace.ts';
import { Refusal } from './words.ts';

/** Whether iptables sees bridged packets. It is on if the module br_netfilter is loaded, which Kubernetes requires. */
const BRIDGED = /^net\.bridge\.bridge-nf-call-ip6?tables$/;

/** The supported sysctls and their defaults. `[^.]+` matches an interface, `all` or `default`. */
const defaults: readonly (readonly [RegExp, string])[] = [
  [/^net\.ipv4\.ip_forward$/, '0'],
  [/^net\.ipv6\.conf\.[^.]+\.(forwarding|accept_ra|accept_dad|disable_ipv6)$/, '0'],
  [/^net\.ipv4\.conf\.[^.]+\.(arp_notify|route_localnet|rp_filter|accept_local|forwarding)$/, '0'],
  [BRIDGED, '1'],
];

/**
 * Runs `sysctl`: `sysctl -w net.ipv4.ip_forward=1`, `sysctl -n net.ipv4.ip_forward`.
 *
 * @param argv - without the program's name
 * @throws Refusal for an unknown sysctl
 */
export function sysctl(argv: readonly string[], { sysctls }: NetworkNamespace): string {
  const isBare = argv.includes('-n');
  const asked = argv.filter((word) => !word.startsWith('-'));
  return asked
    .map((word) => {
      const [name = '', value] = word.replaceAll('/', '.').split('=');
      const initial = defaults.find(([pattern]) => pattern.test(name))?.[1];
      if (initial === undefined) {
        throw new Refusal(
          `sysctl: cannot stat /proc/sys/${name.replaceAll('.', '/')}: No such file or directory`,
        );
      }
      if (value !== undefined) sysctls.set(name, value.trim());
      const now = sysctls.get(name) ?? initial;
      return isBare ? `${now}\n` : `${name} = ${now}\n`;
    })
    .join('');
}
