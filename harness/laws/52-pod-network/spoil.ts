import { shell } from '../../contracts/node/network-tools.ts';
import { type Attachment, addressOf, type SimNode } from './node.ts';
import type { Deed } from './scenario.ts';
import { ownerOf, spoilReservations } from './scripted-ipam.ts';

/** A user changes what a pod was given. */
export async function spoil(
  node: SimNode,
  one: Attachment,
  what: Extract<Deed, { do: 'spoil' }>['what'],
): Promise<void> {
  const $ = shell(node.machine.tools);
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
    case 'mac':
      await $`ip -n ${netns} link set dev eth0 address 02:00:00:00:52:52`;
      return;
    case 'reservation':
      await spoilReservations(node.files, (await node.conflist())?.name ?? '', ownerOf(one.attachment));
      return;
    case 'interface':
      await $`ip link del dev ${host}`;
      return;
  }
}
