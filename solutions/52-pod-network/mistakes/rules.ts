import type { Mistake } from '#harness/testing';

/** Rules, CHECK and GC: levels 5 and 6. */
export const rules: readonly Mistake[] = [
  {
    id: 'rules-for-the-subnet',
    why: 'The rules of one pod match its whole subnet: all pods use the chain of the first.',
    origin: 'cnip#279',
    law: 'Isolated',
    edits: [
      [`-s \${prefix.ip.text}/32 \${comment} -j \${chain}\``, `-s \${subnet} \${comment} -j \${chain}\``],
    ],
  },
  {
    id: 'masquerades-among-pods',
    why: 'Also masquerades packets between pods of the same subnet.',
    origin: 'common: “all my requests come from 10.244.1.1”',
    law: 'Connects',
    edits: [[`        \`-A \${chain} -d \${subnet} \${comment} -j ACCEPT\`,\n`, '']],
  },
  {
    id: 'masquerades-multicast',
    why: 'Masquerades packets to 224.0.0.0/4.',
    origin: 'cni#: “Don’t masquerade multicast”',
    law: 'Level 5',
    hidden: 'no pod sends multicast packets',
    edits: [
      [
        `! -d 224.0.0.0/4 \${comment} -j MASQUERADE\`,\n        \`-A POST`,
        `\${comment} -j MASQUERADE\`,\n        \`-A POST`,
      ],
    ],
  },
  {
    id: 'rules-outlive-the-namespace',
    why: 'DEL without a namespace releases the address, and returns before it removes the rules.',
    origin: 'cnip#810, nerdctl#1872',
    law: 'Leaves nothing',
    edits: [
      [
        'if (bridgeConfiguration(request).ipMasq) await tearDown',
        "if (bridgeConfiguration(request).ipMasq && request.netns !== '') await tearDown",
      ],
    ],
  },
  {
    id: 'rules-stay',
    why: 'DEL does not remove the rules.',
    origin: 'common',
    law: 'Leaves nothing',
    edits: [
      ['  if (bridgeConfiguration(request).ipMasq) await tearDownMasquerade(tools, ownerOf(request));\n', ''],
    ],
  },
  {
    id: 'rules-outlive-the-address',
    why: 'DEL releases the address before it removes the rules: if it fails in between, they apply to the next pod with this address.',
    origin: 'cnip v1.9.1 bridge.go cmdDel has this order',
    law: 'Isolated',
    edits: [
      ['  if (bridgeConfiguration(request).ipMasq) await tearDownMasquerade(tools, ownerOf(request));\n', ''],
      [
        "  await delegate(request, 'DEL');\n}",
        "  await delegate(request, 'DEL');\n  if (bridgeConfiguration(request).ipMasq) await tearDownMasquerade(tools, ownerOf(request));\n}",
      ],
    ],
  },
  {
    id: 'rules-outlive-a-failed-add',
    why: 'A failed ADD releases the interface and the address, but leaves the rules: they apply to the next pod with this address.',
    origin: 'cnip v1.9.1 bridge.go cmdAdd gives the address back alone',
    law: 'Isolated',
    edits: [
      [
        'await del(request).catch(() => {});',
        "await removeVeth($, hostVethName(request)).catch(() => {});\n    await delegate(request, 'DEL').catch(() => {});",
      ],
    ],
  },
  {
    id: 'chain-stays',
    why: 'Removes the jumps to the chain, and empties the chain, but does not delete it.',
    origin: 'common: thousands of empty chains',
    law: 'Leaves nothing',
    edits: [[`, \`-X \${chain}\`];`, '];']],
  },
  {
    id: 'jump-stays',
    why: 'Deletes the chain before the rule that jumps to it: “Device or resource busy”.',
    origin: 'common',
    law: 'Succeeds',
    edits: [[", ...jumps.map((line) => line.replace('-A', '-D')), `-X", ', `-X']],
  },
  {
    id: 'all-jumps-go',
    why: 'Removes all rules of POSTROUTING with the name of the network, including those of other pods.',
    origin: 'containers/netavark#183',
    law: 'Isolated',
    edits: [
      [
        `line.endsWith(\` -j \${chain}\`)`,
        `line.includes(\`name: \\\\"\${network}\\\\"\`) && line.startsWith(\`-A POST\`)`,
      ],
    ],
  },
  {
    id: 'masquerades-always',
    why: 'Creates rules regardless of the configuration: pods of other nodes see the address of the node.',
    origin: 'k3s, kubernetes-the-hard-way: bridge with ipMasq and a network a node',
    law: 'Connects',
    edits: [['if (config.ipMasq) await changeNat(', 'await changeNat(']],
  },
  {
    id: 'masquerades-never',
    why: 'Ignores ipMasq.',
    origin: 'common',
    law: 'Reaches outside',
    edits: [
      ['    if (config.ipMasq) await changeNat(tools, masqueradeRules(ownerOf(request), addressing));\n', ''],
    ],
  },
  {
    id: 'check-does-not-look',
    why: 'CHECK calls the address manager, but checks nothing itself.',
    origin: 'common: plugins that print nothing and exit with 0',
    law: 'Checks',
    edits: [
      [
        "  await delegate(request, 'CHECK');\n  if (!prevResult)",
        "  await delegate(request, 'CHECK');\n  if (prevResult) return;\n  if (!prevResult)",
      ],
    ],
  },
  {
    id: 'check-without-addresses',
    why: 'CHECK checks only interfaces.',
    origin: 'common',
    law: 'Checks',
    edits: [['  await checkAddresses($, request, prevResult);\n', '']],
  },
  {
    id: 'check-without-the-port',
    why: 'CHECK does not notice that the host end has left the bridge, or is down.',
    origin: 'common',
    law: 'Checks',
    edits: [['if (host?.master !== bridge || ![host, container].every(isUp))', 'if (!host)']],
  },
  {
    id: 'check-without-its-address-manager',
    why: 'CHECK does not call the address manager.',
    origin: 'common',
    law: 'Checks',
    edits: [["  await delegate(request, 'CHECK');\n", '']],
  },
  {
    id: 'check-of-any-mac',
    why: 'CHECK does not notice that the interface of the container is another one.',
    origin: 'common',
    law: 'Checks',
    edits: [['given?.mac !== undefined && given.mac !== container.address', 'given?.mac === undefined']],
  },
  {
    id: 'no-gc',
    why: 'GC does nothing.',
    origin: 'cnip: “FIXME GC” of bridge',
    law: 'Collects garbage',
    edits: [
      [
        '  const failures: string[] = [];\n  const attempt = (step: Promise<unknown>): Promise<unknown> =>\n    step.catch((error: Error) => failures.push(error.message));\n  for (const { ifname } of ports)',
        '  if (links.length > 0) return;\n  const failures: string[] = [];\n  const attempt = (step: Promise<unknown>): Promise<unknown> =>\n    step.catch((error: Error) => failures.push(error.message));\n  for (const { ifname } of ports)',
      ],
    ],
  },
  {
    id: 'gc-without-rules',
    why: 'GC leaves the rules.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [
      [
        '    if (!ids.has(containerID)) await attempt(tearDownMasquerade(tools, { network, containerID }));',
        `    if (ids.has(\`no \${containerID}\`)) await attempt(tearDownMasquerade(tools, { network, containerID }));`,
      ],
    ],
  },
  {
    id: 'gc-keeps-addresses',
    why: 'GC does not call the address manager.',
    origin: 'cni SPEC.md: “must be forwarded to delegates”',
    law: 'Collects garbage',
    edits: [["  await attempt(delegate(request, 'GC'));\n", '']],
  },
  {
    id: 'gc-takes-all',
    why: 'GC removes every port of the bridge without a valid attachment, including those of other programs.',
    origin: 'common',
    law: 'Isolated',
    edits: [['/^veth[0-9a-f]{8}$/.test(link.ifname) && isOurs(link)', 'isOurs(link)']],
  },
  {
    id: 'gc-takes-the-valid',
    why: 'GC compares the names of interfaces with the ids of containers, which never match.',
    origin: 'whereabouts#176: matched by the wrong key',
    law: 'Isolated',
    edits: [
      [
        'const names = new Set(valid.map(hostVethName));',
        'const names = new Set(valid.map(({ containerID }) => containerID));',
      ],
    ],
  },
  {
    id: 'gc-knows-ports-alone',
    why: 'GC considers only ports of the bridge: a pair of a plugin that crashed between two commands stays.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'the reference creates the host end as a port; without that, see port-in-a-second-step',
    edits: [['(link.master === undefined && ', '(link.master === bridge && ']],
  },
  {
    id: 'gc-knows-names-alone',
    why: 'GC identifies unattached ends by their name alone, although other plugins use the same names, and their ends are up.',
    origin: 'cnip: ptp names its ends so, too, and has no bridge',
    law: 'Isolated',
    edits: [["link.linkinfo?.info_kind === 'veth' && !isUp(link)", "link.linkinfo?.info_kind === 'veth'"]],
  },
  {
    id: 'gc-gives-up',
    why: 'GC stops at the first failure.',
    origin: 'cni SPEC.md: errors are collected',
    law: 'Succeeds',
    edits: [
      [
        'step.catch((error: Error) => failures.push(error.message));\n  for (const { ifname } of ports)',
        'step;\n  for (const { ifname } of ports)',
      ],
    ],
  },
];
