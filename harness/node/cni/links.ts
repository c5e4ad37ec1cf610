import type { IpLink } from '../../contracts/node/ip-json.ts';
import { type Shell, ToolError } from '../../contracts/node/network-tools.ts';

/**
 * Returns the interface with this name.
 *
 * @param netns - the name of its namespace. @defaultValue the machine's own
 * @returns undefined when it does not exist
 * @throws ToolError when the tool fails for another reason
 */
export async function linkNamed($: Shell, name: string, netns?: string): Promise<IpLink | undefined> {
  const where = netns === undefined ? [] : ['-n', netns];
  try {
    const [link] = JSON.parse(await $`ip ${where} -d -j link show dev ${name}`) as readonly IpLink[];
    return link;
  } catch (error) {
    if (error instanceof ToolError && error.stderr.includes('does not exist')) return undefined;
    throw error;
  }
}
