import type { Mistake } from '#harness/testing';

/** What shows when the plugin is tried by itself, call by call. */
export const pluginAlone: readonly Mistake[] = [
  {
    id: 'no-list-no-gc',
    why: 'Collects nothing when no list says what is valid.',
    origin: 'common: the library of CNI writes no empty list',
    law: 'Collects',
    edits: [
      [
        '  const names = new Set(valid.map(hostVethName));',
        "  if (!request.config['cni.dev/valid-attachments']) return void (await delegate(request, 'GC'));\n  const names = new Set(valid.map(hostVethName));",
      ],
    ],
  },
  {
    id: 'gc-of-all-bridges',
    why: 'Collects the ports of all bridges.',
    origin: 'common',
    law: 'Undisturbed',
    edits: [['    link.master === bridge ||\n', '    link.master !== undefined ||\n']],
  },
  {
    id: 'gc-of-all-called-veth',
    why: 'Collects whatever has a name that begins with veth.',
    origin: 'common: upstream draws such names, and so do others',
    law: 'Undisturbed',
    edits: [['/^veth[0-9a-f]{8}$/', '/^veth/']],
  },
  {
    id: 'gc-stops-before-the-address-manager',
    why: 'Does not ask the address manager to collect when something else has failed.',
    origin: 'common',
    law: 'Collects',
    edits: [
      [
        "  await attempt(delegate(request, 'GC'));\n",
        "  if (failures.length === 0) await attempt(delegate(request, 'GC'));\n",
      ],
    ],
  },
  {
    id: 'gc-keeps-failures-to-itself',
    why: 'Collects as well as it can, and says nothing of what failed.',
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
    why: 'Takes the first address of the network for the gateway, whatever the address manager says.',
    origin: 'common',
    law: 'Nodes',
    edits: [
      ['const way = gateway ?? (isRouter', 'const way = (isRouter ? undefined : gateway) ?? (isRouter'],
    ],
  },
  {
    id: 'every-bridge-is-a-gateway',
    why: 'Gives the bridge an address where no gateway is wanted.',
    origin: 'common',
    law: 'Nodes',
    edits: [
      [
        'const gateways = isRouter ? all.map(',
        'const gateways = all.some(({ gateway }) => gateway) ? all.map(',
      ],
    ],
  },
  {
    id: 'gateway-of-the-first-address',
    why: 'Gives the bridge the gateway of the first address alone: with two families, one has none.',
    origin: 'common',
    law: 'Nodes',
    edits: [
      [
        'for (const gateway of gateways) await ensureGateway',
        'for (const gateway of gateways.slice(0, 1)) await ensureGateway',
      ],
    ],
  },
  {
    id: 'rules-of-the-first-address',
    why: 'Masquerades the first address of a pod alone.',
    origin: 'common',
    law: 'Outside',
    edits: [['...addresses.flatMap((prefix) => {', '...addresses.slice(0, 1).flatMap((prefix) => {']],
  },
  {
    id: 'no-address-will-do',
    why: 'Succeeds though the address manager has given no address.',
    origin: 'common',
    law: 'Succeeds',
    edits: [["    if (ips.length === 0) throw new Error('IPAM plugin returned missing IP config');\n", '']],
  },
  {
    id: 'bridge-without-the-mtu',
    why: 'Gives the MTU to the pair, and not to the bridge.',
    origin: 'common',
    law: 'Truthful',
    edits: [['ensureBridge($, bridge, config.mtu)', 'ensureBridge($, bridge)']],
  },
  {
    id: 'pair-without-the-mtu',
    why: 'Gives the MTU to the bridge, and not to the pair.',
    origin: 'common',
    law: 'Truthful',
    edits: [['  const sized = mtuWords(mtu);', '  const sized = mtuWords(mtu && undefined);']],
  },
  {
    id: 'status-is-always-well',
    why: 'Says that all is well without asking the address manager.',
    origin: 'cni SPEC.md section 2, STATUS',
    law: 'Succeeds',
    edits: [["  status: async (request) => void (await delegate(request, 'STATUS')),\n", '']],
  },
  {
    id: 'arguments-get-lost',
    why: 'Does not pass CNI_ARGS on to the address manager.',
    origin: 'cni SPEC.md section 4; host-local takes addresses that are asked for from there',
    law: 'Succeeds',
    edits: [['env: { ...env, CNI_COMMAND: command }', "env: { ...env, CNI_ARGS: '', CNI_COMMAND: command }"]],
  },
  {
    id: 'removal-fails-in-silence',
    why: 'Goes on when the interface cannot be removed, and gives its address back.',
    origin: 'common',
    law: 'Leaves nothing',
    edits: [['    if (await linkNamed($, host)) throw error;', '    void error;']],
  },
  {
    id: 'no-second-look',
    why: 'Fails when the interface goes at the very moment at which it is removed.',
    origin: 'common: the namespace goes at the same time',
    law: 'Succeeds',
    edits: [['    if (await linkNamed($, host)) throw error;', '    throw error;']],
  },
  {
    id: 'address-goes-first-after-a-failure',
    why: 'After a failure, gives the address back before it removes the interface.',
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
