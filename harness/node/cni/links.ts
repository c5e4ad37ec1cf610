import type { IpLink } from '../../contracts/node/ip-json.ts';
import type { Shell } from '../../contracts/node/network-tools.ts';

/**
 * The interface of this name.
 *
 * All are listed and one is picked, because `ip link show dev NAME` fails in the same way when there is none, and when it cannot say.
 *
 * @param netns the name of the namespace to look in. @defaultValue that of the machine
 * @returns undefined when there is none
 * @throws ToolError when the tool fails
 */
export async function linkNamed($: Shell, name: string, netns?: string): Promise<IpLink | undefined> {
  const where = netns === undefined ? [] : ['-n', netns];
  const links: readonly IpLink[] = JSON.parse(await $`ip ${where} -d -j link show`);
  return links.find(({ ifname }) => ifname === name);
}
