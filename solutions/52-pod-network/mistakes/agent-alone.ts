import type { Mistake } from '#harness/testing';

/** The agent among nodes of all kinds, and next to routes of other programs. */
export const agentAlone: readonly Mistake[] = [
  {
    id: 'routes-without-a-podCIDR',
    why: 'Creates its routes before its node has a podCIDR.',
    origin: 'common',
    law: 'Stable',
    edits: [
      [
        '  if (!podCIDR) return;\n  const { tools, files } = host;',
        `  const { tools, files } = host;
  if (!podCIDR) {
    for (const command of routeCommands(await installedRoutes(tools), desiredRoutes(all, node)))
      await tools.run(command);
    return;
  }`,
      ],
    ],
  },
  {
    id: 'clears-without-a-podCIDR',
    why: 'A node without a podCIDR counts as one that has left the network, and its routes are deleted.',
    origin: 'common',
    law: 'Stable',
    edits: [
      [
        '  if (!podCIDR) return;\n  const { tools, files } = host;',
        `  const { tools, files } = host;
  if (!podCIDR) {
    for (const command of routeCommands(await installedRoutes(tools), new Map())) await tools.run(command);
    return;
  }`,
      ],
    ],
  },
  {
    id: 'resync-after-twelve-seconds',
    why: 'Resyncs after twelve seconds.',
    origin: 'common',
    law: 'Heals',
    edits: [['const RESYNC_MS = 10_000;', 'const RESYNC_MS = 12_000;']],
  },
  {
    id: 'resyncs-after-success-only',
    why: 'While one node is unreachable, it resyncs only as often as the queue retries repeated failures.',
    origin: 'common',
    law: 'Heals',
    edits: [
      [
        `      queue.addAfter(node, RESYNC_MS);
      await syncNode(context, informer.indexer.list());`,
        `      await syncNode(context, informer.indexer.list());
      queue.addAfter(node, RESYNC_MS);`,
      ],
    ],
  },
  {
    id: 'writes-the-configuration-once',
    why: 'Writes the configuration only once: if it is removed, the node accepts no pods any more.',
    origin: 'common',
    law: 'Heals',
    edits: [
      [
        '  await attempt(writeConflist(files, podCIDR));\n',
        '  if (!written.has(files)) await attempt(writeConflist(files, podCIDR));\n  written.add(files);\n',
      ],
      ['const RESYNC_MS = 10_000;', 'const RESYNC_MS = 10_000;\nconst written = new WeakSet<object>();'],
    ],
  },
  {
    id: 'leaves-routes-without-a-gateway',
    why: 'Ignores routes of its protocol without a gateway.',
    origin: 'common',
    law: 'Routed',
    edits: [
      ['({ metric }) => metric === undefined', '({ metric, gateway }) => metric === undefined && gateway'],
    ],
  },
  {
    id: 'deletes-by-the-network-alone',
    why: "Deletes a route by its destination alone: if its own route is gone, another program's route is deleted.",
    origin: 'common',
    law: 'Keeps foreign routes',
    edits: [
      [
        "    return ['ip', 'route', verb, dst, ...way, 'proto', ROUTE_PROTOCOL];",
        "    if (verb === 'del') return ['ip', 'route', verb, dst];\n    return ['ip', 'route', verb, dst, ...way, 'proto', ROUTE_PROTOCOL];",
      ],
    ],
  },
  {
    id: 'gives-way-to-other-programs',
    why: 'Creates no route to a network to which another program has one.',
    origin: 'common',
    law: 'Routed',
    edits: [
      [
        '  for (const command of routeCommands(await installedRoutes(tools), desiredRoutes(all, node)))\n',
        `  const table: { dst: string; protocol?: string }[] = JSON.parse(await tools.run(['ip', '-j', 'route', 'show']));
  const taken = table.filter(({ protocol }) => protocol !== '17').map(({ dst }) => dst);
  const owed = new Map([...desiredRoutes(all, node)].filter(([dst]) => !taken.includes(dst)));
  for (const command of routeCommands(await installedRoutes(tools), owed))
`,
      ],
    ],
  },
  {
    id: 'no-route-to-the-cordoned',
    why: 'Has no route to a cordoned node: its pods are cut off.',
    origin: 'common',
    law: 'Routed',
    edits: [['podCIDR === own || !address', 'podCIDR === own || !address || spec.unschedulable']],
  },
  {
    id: 'no-route-to-the-leaving',
    why: 'Has no route to a node that is being deleted, although its pods still run.',
    origin: 'common',
    law: 'Routed',
    edits: [['podCIDR === own || !address', 'podCIDR === own || !address || metadata.deletionTimestamp']],
  },
  {
    id: 'multicast-leaves-as-the-node',
    why: 'Masquerades multicast packets of pods.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'a node forwards no multicast without a multicast router, so none reaches this rule',
    edits: [[`-s \${POD_NETWORK} ! -d 224.0.0.0/4 `, `-s \${POD_NETWORK} `]],
  },
  {
    id: 'no-masquerade-for-what-passes',
    why: 'Has no rule for packets from outside to the pods of another node.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'no outside host sends packets for the pods of one node through another node',
    edits: [
      [`    \`! -s \${POD_NETWORK} -d \${POD_NETWORK} \${comment} -j MASQUERADE --random-fully\`,\n`, ''],
    ],
  },
  {
    id: 'ports-in-order',
    why: 'Masquerades without random ports: two simultaneous connections may get the same port, and one is lost.',
    origin: 'k#56903: lost packets of DNS',
    law: 'Level 8',
    hidden: 'the simulated kernel never uses a port twice',
    edits: [
      [
        `! -d 224.0.0.0/4 \${comment} -j MASQUERADE --random-fully`,
        `! -d 224.0.0.0/4 \${comment} -j MASQUERADE`,
      ],
    ],
  },
];
