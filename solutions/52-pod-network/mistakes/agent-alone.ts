import type { Mistake } from '#harness/testing';

/** The agent among nodes of all kinds, and what it does with what others have made. */
export const agentAlone: readonly Mistake[] = [
  {
    id: 'routes-without-a-podCIDR',
    why: 'Makes its routes before it has a podCIDR of its own.',
    origin: 'common',
    law: 'Quiet',
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
    why: 'Takes a node that has no podCIDR yet for one that is no part of the network any more, and deletes its routes.',
    origin: 'common',
    law: 'Quiet',
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
    why: 'Looks again after twelve seconds.',
    origin: 'common',
    law: 'Heals',
    edits: [['const RESYNC_MS = 10_000;', 'const RESYNC_MS = 12_000;']],
  },
  {
    id: 'resyncs-after-success-only',
    why: 'Where one node is out of reach, looks as rarely as the queue tries again what has failed often.',
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
    why: 'Writes the configuration once in its life: when it is removed, the node takes no pods any more.',
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
    why: 'Leaves routes of its protocol that go by no gateway.',
    origin: 'common',
    law: 'Routed',
    edits: [
      ['({ metric }) => metric === undefined', '({ metric, gateway }) => metric === undefined && gateway'],
    ],
  },
  {
    id: 'deletes-by-the-network-alone',
    why: 'Says only to which network the route went that is to be deleted: when its own is gone, another one goes.',
    origin: 'common',
    law: 'Modest',
    edits: [
      [
        "    return ['ip', 'route', verb, dst, ...way, 'proto', ROUTE_PROTOCOL];",
        "    if (verb === 'del') return ['ip', 'route', verb, dst];\n    return ['ip', 'route', verb, dst, ...way, 'proto', ROUTE_PROTOCOL];",
      ],
    ],
  },
  {
    id: 'gives-way-to-other-programs',
    why: 'Makes no route to a network to which another program has one.',
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
    why: 'Has no route to a node that takes no new pods: those that it has are cut off.',
    origin: 'common',
    law: 'Routed',
    edits: [['podCIDR === own || !address', 'podCIDR === own || !address || spec.unschedulable']],
  },
  {
    id: 'no-route-to-the-leaving',
    why: 'Has no route to a node that is being deleted: its pods still end.',
    origin: 'common',
    law: 'Routed',
    edits: [['podCIDR === own || !address', 'podCIDR === own || !address || metadata.deletionTimestamp']],
  },
  {
    id: 'multicast-leaves-as-the-node',
    why: 'Masquerades what pods send to many at once.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'a node sends no multicast on without a router for it: none comes to this rule',
    edits: [[`-s \${POD_NETWORK} ! -d 224.0.0.0/4 `, `-s \${POD_NETWORK} `]],
  },
  {
    id: 'no-masquerade-for-what-passes',
    why: 'Has no rule for what comes from elsewhere and goes to the pods of another node.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'nothing outside sends by way of a node what is for the pods of another one',
    edits: [
      [`    \`! -s \${POD_NETWORK} -d \${POD_NETWORK} \${comment} -j MASQUERADE --random-fully\`,\n`, ''],
    ],
  },
  {
    id: 'ports-in-order',
    why: 'Masquerades without drawing the ports: two connections at once may get the same, and one is lost.',
    origin: 'k#56903: lost packets of DNS',
    law: 'Level 8',
    hidden: 'the kernel here gives no port twice',
    edits: [
      [
        `! -d 224.0.0.0/4 \${comment} -j MASQUERADE --random-fully`,
        `! -d 224.0.0.0/4 \${comment} -j MASQUERADE`,
      ],
    ],
  },
];
