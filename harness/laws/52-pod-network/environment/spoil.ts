import { shell } from '../../../contracts/node/network-tools.ts';
import type { Operation } from '../scenario/index.ts';
import { type Attachment, addressOf, type SimNode } from '../simulation/node.ts';
import { ownerOf, spoilReservations } from '../simulation/scripted-ipam.ts';

/** The changes of a user that CHECK must notice, in words that follow "a user". */
export const SPOILS = {
  address: 'removed the address of eth0 in',
  route: 'removed the default route of',
  port: 'took the host end out of the bridge, of',
  down: 'set the host end down, of',
  mac: 'changed the MAC address of eth0 in',
  reservation: 'changed the owner in the reservation of',
  interface: 'deleted the interface of',
} as const satisfies Record<Extract<Operation, { do: 'spoil' }>['what'], string>;

/** Changes the network of a pod, as a user. */
export async function spoil(
  node: SimNode,
  one: Attachment,
  what: Extract<Operation, { do: 'spoil' }>['what'],
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
