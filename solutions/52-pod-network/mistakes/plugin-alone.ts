import type { Mistake } from '#harness/testing';

/** Mistakes that show when the plugin runs alone, call by call. */
export const pluginAlone: readonly Mistake[] = [
  {
    id: 'gateway-of-another-length',
    why: 'Accepts the gateway with another prefix length: the bridge reaches pods of other nodes directly.',
    origin: 'common: compares addresses, not prefixes',
    law: 'Succeeds',
    edits: [['ip.text === wanted.ip.text && bits === wanted.bits', 'ip.text === wanted.ip.text']],
  },
  {
    id: 'check-without-a-result-is-well',
    why: 'CHECK without the result of the ADD succeeds, although it compares nothing.',
    origin: 'common: an early return',
    law: 'Checks',
    edits: [["if (!prevResult) throw new Error('Required prevResult missing');", 'if (!prevResult) return;']],
  },
  {
    id: 'forwards-ipv4-only',
    why: 'Turns on forwarding of IPv4 for an IPv6 gateway, too: no IPv6 packet leaves the node.',
    origin: 'common',
    law: 'Reaches nodes',
    edits: [["'net.ipv6.conf.all.forwarding=1'", "'net.ipv4.ip_forward=1'"]],
  },
  {
    id: 'no-list-no-gc',
    why: 'GC does nothing without a list of valid attachments.',
    origin: 'common: the library of CNI writes no empty list',
    law: 'Collects garbage',
    edits: [
      [
        '  const names = new Set(valid.map(hostVethName));',
        "  if (!request.config['cni.dev/valid-attachments']) return void (await delegate(request, 'GC'));\n  const names = new Set(valid.map(hostVethName));",
      ],
    ],
  },
  {
    id: 'gc-of-all-bridges',
    why: 'GC removes stale ports of all bridges.',
    origin: 'common',
    law: 'Isolated',
    edits: [['    link.master === bridge ||\n', '    link.master !== undefined ||\n']],
  },
  {
    id: 'gc-of-all-called-veth',
    why: 'GC removes every interface whose name starts with veth.',
    origin: 'common: upstream draws such names, and so do others',
    law: 'Isolated',
    edits: [['/^veth[0-9a-f]{8}$/', '/^veth/']],
  },
  {
    id: 'gc-stops-before-the-address-manager',
    why: 'GC does not call the address manager after another failure.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [
      [
        "  await attempt(delegate(request, 'GC'));\n",
        "  if (failures.length === 0) await attempt(delegate(request, 'GC'));\n",
      ],
    ],
  },
  {
    id: 'gc-keeps-failures-to-itself',
    why: 'GC does not report failures.',
    origin: 'common',
    law: 'Succeeds',
    edits: [
      [
        "  await attempt(delegate(request, 'GC'));\n  if (failures.length > 0) throw new Error(failures.join('\\n'));\n",
        "  await attempt(delegate(request, 'GC'));\n",
      ],
    ],
  },
  {
    id: 'always-the-first-address',
    why: "Uses the first address of the network as the gateway, regardless of the address manager's result.",
    origin: 'common',
    law: 'Reaches nodes',
    edits: [
      ['const way = gateway ?? (isRouter', 'const way = (isRouter ? undefined : gateway) ?? (isRouter'],
    ],
  },
  {
    id: 'every-bridge-is-a-gateway',
    why: 'Gives the bridge an address even if no gateway is configured.',
    origin: 'common',
    law: 'Reaches nodes',
    edits: [
      [
        'const gateways = isRouter ? all.map(',
        'const gateways = all.some(({ gateway }) => gateway) ? all.map(',
      ],
    ],
  },
  {
    id: 'gateway-of-the-first-address',
    why: 'Gives the bridge only the gateway of the first address: with two families, one has none.',
    origin: 'common',
    law: 'Reaches nodes',
    edits: [
      [
        'for (const gateway of gateways) await ensureGateway',
        'for (const gateway of gateways.slice(0, 1)) await ensureGateway',
      ],
    ],
  },
  {
    id: 'rules-of-the-first-address',
    why: 'Masquerades only the first address of a pod.',
    origin: 'common',
    law: 'Reaches outside',
    edits: [['...addresses.flatMap((prefix) => {', '...addresses.slice(0, 1).flatMap((prefix) => {']],
  },
  {
    id: 'no-address-will-do',
    why: 'Succeeds although the address manager has allocated no address.',
    origin: 'common',
    law: 'Succeeds',
    edits: [["    if (ips.length === 0) throw new Error('IPAM plugin returned missing IP config');\n", '']],
  },
  {
    id: 'bridge-without-the-mtu',
    why: 'Sets the MTU of the veth pair, but not of the bridge.',
    origin: 'common',
    law: 'As configured',
    edits: [['ensureBridge($, bridge, config.mtu)', 'ensureBridge($, bridge)']],
  },
  {
    id: 'pair-without-the-mtu',
    why: 'Sets the MTU of the bridge, but not of the veth pair.',
    origin: 'common',
    law: 'As configured',
    edits: [['  const sized = mtuWords(mtu);', '  const sized = mtuWords(mtu && undefined);']],
  },
  {
    id: 'status-is-always-well',
    why: 'STATUS succeeds without calling the address manager.',
    origin: 'cni SPEC.md section 2, STATUS',
    law: 'Succeeds',
    edits: [["  status: async (request) => void (await delegate(request, 'STATUS')),\n", '']],
  },
  {
    id: 'arguments-get-lost',
    why: 'Does not pass CNI_ARGS to the address manager.',
    origin: 'cni SPEC.md section 4; host-local takes addresses that are asked for from there',
    law: 'Succeeds',
    edits: [['env: { ...env, CNI_COMMAND: command }', "env: { ...env, CNI_ARGS: '', CNI_COMMAND: command }"]],
  },
  {
    id: 'removal-fails-in-silence',
    why: 'Continues if the interface cannot be removed, and releases its address.',
    origin: 'common',
    law: 'Leaves nothing',
    edits: [['    if (await linkNamed($, host)) throw error;', '    void error;']],
  },
  {
    id: 'no-second-look',
    why: 'Fails if the interface disappears at the moment of its removal.',
    origin: 'common: the namespace goes at the same time',
    law: 'Succeeds',
    edits: [['    if (await linkNamed($, host)) throw error;', '    throw error;']],
  },
  {
    id: 'undoing-goes-on-without-the-interface',
    why: 'A failed ADD cannot remove the interface, and releases its address nevertheless: another pod may get the same address.',
    misconception: 'You seem to believe that an undo may go on after one of its steps has failed.',
    origin: 'common',
    law: 'Leaves nothing',
    edits: [
      [
        '    await del(request).catch(() => {});',
        "    await removeVeth($, hostVethName(request)).catch(() => {});\n    if (config.ipMasq) await tearDownMasquerade(tools, ownerOf(request)).catch(() => {});\n    await delegate(request, 'DEL').catch(() => {});",
      ],
    ],
  },
  {
    id: 'undoing-goes-on-without-the-rules',
    why: 'A failed ADD cannot remove the rules, and releases their address nevertheless: they apply to the next pod with this address.',
    misconception: 'You seem to believe that only an interface binds a pod to its address.',
    origin: 'common',
    law: 'Leaves nothing',
    edits: [
      [
        '    await del(request).catch(() => {});',
        "    const removed = await removeVeth($, hostVethName(request)).then(() => true, () => false);\n    if (removed) {\n      if (config.ipMasq) await tearDownMasquerade(tools, ownerOf(request)).catch(() => {});\n      await delegate(request, 'DEL').catch(() => {});\n    }",
      ],
    ],
  },
  {
    id: 'address-goes-first-after-a-failure',
    why: 'After a failure, releases the address before it removes the interface.',
    origin: 'cnip v1.9.1 bridge.go cmdAdd gives it back, and leaves the interface',
    law: 'Leaves nothing',
    edits: [
      [
        '    await del(request).catch(() => {});',
        "    await delegate(request, 'DEL').catch(() => {});\n    await del(request).catch(() => {});",
      ],
    ],
  },
];
