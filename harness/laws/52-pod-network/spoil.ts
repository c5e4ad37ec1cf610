import { shell } from '../../contracts/node/network-tools.ts';
import { type Attachment, addressOf, type SimNode } from './node.ts';
import type { Deed } from './scenario.ts';

/** Somebody changes what a pod was given. */
export async function spoil(
  { machine }: SimNode,
  one: Attachment,
  what: Extract<Deed, { do: 'spoil' }>['what'],
): Promise<void> {
  const $ = shell(machine.tools);
  const netns = one.namespace.name;
  const host = one.namespace.links.get('eth0')?.peer?.name ?? '';
  switch (what) {
    case 'address':
      await $`ip -n ${netns} addr del ${one.result?.ips[0]?.address ?? addressOf(one) ?? ''} dev eth0`;
      return;
    case 'route':
      await $`ip -n ${netns} route del default`;
      return;
    case 'port':
      await $`ip link set dev ${host} nomaster`;
      return;
    case 'down':
      await $`ip link set dev ${host} down`;
      return;
    case 'interface':
      await $`ip link del dev ${host}`;
      return;
  }
}
