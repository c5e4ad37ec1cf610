import type { Mistake } from '#harness/testing';

/** Routes and the agent: levels 7 and 8. */
export const agent: readonly Mistake[] = [
  {
    id: 'configures-first',
    why: 'Writes the network configuration before the routes and the rules: pods start, and reach nothing.',
    origin: 'common: the order of two writes',
    law: 'Configures',
    edits: [
      [
        '  // Last, because the node accepts pods from then on.\n  await attempt(writeConflist(files, podCIDR));\n',
        '',
      ],
      [
        '  // One unreachable node must not affect the routes to the others.\n',
        '  await attempt(writeConflist(files, podCIDR));\n',
      ],
    ],
  },
  {
    id: 'configures-before-the-routes',
    why: 'Writes the network configuration before the routes: the first pods do not reach those of other nodes.',
    origin: 'common: the order of two writes',
    law: 'Configures',
    edits: [
      [
        '  // Last, because the node accepts pods from then on.\n  await attempt(writeConflist(files, podCIDR));\n',
        '',
      ],
      [
        '  // One unreachable node must not affect the routes to the others.\n',
        '  await attempt(ensureMasqueradeChain(tools, networkMasqueradeRules(podCIDR)));\n  await attempt(writeConflist(files, podCIDR));\n',
      ],
    ],
  },
  {
    id: 'route-to-itself',
    why: 'Creates a route to its own pods through its own address.',
    origin: 'common',
    law: 'Stable',
    edits: [
      [
        'if (metadata.name === self || !podCIDR || podCIDR === own || !address) continue;',
        'if (!podCIDR || !address) continue;',
      ],
    ],
  },
  {
    id: 'believes-the-leaving',
    why: 'Creates the route of a node that still claims the podCIDR of this node: it replaces the route to the bridge.',
    origin: 'common',
    law: 'Routed',
    edits: [[' || podCIDR === own', '']],
  },
  {
    id: 'any-address',
    why: 'Uses the first address of a node, regardless of its type.',
    origin: 'common: the Hostname, or the ExternalIP',
    law: 'Routed',
    edits: [
      [
        "status.addresses?.find(({ type }) => type === 'InternalIP')?.address",
        'status.addresses?.[0]?.address',
      ],
    ],
  },
  {
    id: 'deletes-the-new-route',
    why: "If a node's address changes, it deletes the desired route, which does not exist: the old one stays.",
    origin: 'fl#803, fl#801',
    law: 'Routed',
    edits: [
      [
        "...wrong.map(([dst, gateway]) => command('replace', dst, gateway)),",
        "...wrong.flatMap(([dst, gateway]) => [...(installed.has(dst) ? [command('del', dst, gateway)] : []), command('append', dst, gateway)]),",
      ],
    ],
  },
  {
    id: 'never-replaces',
    why: 'A route to the right network counts as correct, regardless of its gateway.',
    origin: 'fl#533: the same subnet is “no change”',
    law: 'Routed',
    edits: [
      [
        '.filter(([dst, gateway]) => installed.get(dst) !== gateway)',
        '.filter(([dst]) => !installed.has(dst))',
      ],
    ],
  },
  {
    id: 'never-deletes',
    why: 'Does not delete the routes of deleted nodes.',
    origin: 'fl#2554: deletions that were missed are never repaired',
    law: 'Routed',
    edits: [["    ...gone.map(([dst, gateway]) => command('del', dst, gateway)),\n", '']],
  },
  {
    id: 'all-anew',
    why: 'Deletes and recreates all routes at every sync.',
    origin: 'common',
    law: 'Never interrupts',
    edits: [
      ['const gone = [...installed].filter(([dst]) => !desired.has(dst));', 'const gone = [...installed];'],
      ['.filter(([dst, gateway]) => installed.get(dst) !== gateway)', ''],
    ],
  },
  {
    id: 'replaces-what-is-right',
    why: 'Replaces every route by itself at every sync.',
    origin: 'common',
    law: 'Stable',
    edits: [['.filter(([dst, gateway]) => installed.get(dst) !== gateway)', '']],
  },
  {
    id: 'all-routes-are-mine',
    why: 'Every route with a gateway counts as its own, so that it deletes those of others.',
    origin: 'common',
    law: 'Keeps foreign routes',
    edits: [
      ["['ip', '-j', 'route', 'show', 'proto', ROUTE_PROTOCOL]", "['ip', '-j', 'route', 'show']"],
      ['({ metric }) => metric === undefined', '({ gateway }) => gateway !== undefined'],
      ["...way, 'proto', ROUTE_PROTOCOL]", "...way, ...(verb === 'del' ? [] : ['proto', ROUTE_PROTOCOL])]"],
    ],
  },
  {
    id: 'routes-of-pods-are-mine',
    why: 'Every route into the pod network counts as its own.',
    origin: 'common',
    law: 'Keeps foreign routes',
    edits: [
      ["['ip', '-j', 'route', 'show', 'proto', ROUTE_PROTOCOL]", "['ip', '-j', 'route', 'show']"],
      [
        '({ metric }) => metric === undefined',
        "({ dst, gateway }) => gateway !== undefined && dst.startsWith('10.244.')",
      ],
      ["...way, 'proto', ROUTE_PROTOCOL]", "...way, ...(verb === 'del' ? [] : ['proto', ROUTE_PROTOCOL])]"],
    ],
  },
  {
    id: 'blind-to-metrics',
    why: 'A route with a metric counts as its own, and it tries to replace it forever.',
    origin: 'common',
    law: 'Keeps foreign routes',
    edits: [['({ metric }) => metric === undefined', '({ dst }) => dst.length > 0']],
  },
  {
    id: 'no-mark-of-its-own',
    why: 'Creates routes without its protocol number, and never finds them again.',
    origin: 'common',
    law: 'Routed',
    edits: [["...way, 'proto', ROUTE_PROTOCOL]", '...way]']],
  },
  {
    id: 'masquerades-among-nodes',
    why: 'Has no rule for packets to pods of other nodes, which then see the address of the node.',
    origin: 'common',
    law: 'Connects',
    edits: [[`    \`-s \${podCIDR} -d \${POD_NETWORK} \${comment} -j RETURN\`,\n`, '']],
  },
  {
    id: 'masquerades-from-nodes',
    why: 'Has no rule for packets from pods of other nodes.',
    origin: 'common',
    law: 'Level 8',
    edits: [[`    \`-s \${POD_NETWORK} -d \${podCIDR} \${comment} -j RETURN\`,\n`, '']],
  },
  {
    id: 'no-masquerade-for-the-outside',
    why: 'Masquerades no packets that leave the pod network.',
    origin: 'flannel without --ip-masq',
    law: 'Reaches outside',
    edits: [[`    \`-s \${POD_NETWORK} ! -d 224.0.0.0/4 \${comment} -j MASQUERADE --random-fully\`,\n`, '']],
  },
  {
    id: 'does-not-wait-for-its-podCIDR',
    why: 'Writes a configuration before it knows its own podCIDR.',
    origin: 'flannel: “node "…" pod cidr not assigned”',
    law: 'Level 8',
    edits: [['?.spec.podCIDR;\n  if (!podCIDR) return;', "?.spec.podCIDR ?? '10.244.0.0/24';"]],
  },
  {
    id: 'one-failure-ends-the-look',
    why: 'Ends the sync at the first route that cannot be created: one unreachable node cuts off all others.',
    origin: 'common',
    law: 'Level 8',
    edits: [['    await attempt(tools.run(command));', '    await tools.run(command);']],
  },
  {
    id: 'swallows-failures',
    why: 'Reports success after a failure, and so retries only ten seconds later.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'the resync repairs it',
    edits: [
      [
        "  await attempt(writeConflist(files, podCIDR));\n  if (failures.length > 0) throw new Error(failures.join('\\n'));",
        '  await attempt(writeConflist(files, podCIDR));',
      ],
    ],
  },
  {
    id: 'writes-no-configuration',
    why: 'Writes no configuration: the node never becomes ready.',
    origin: '“cni plugin not initialized”',
    law: 'Level 8',
    edits: [['  await attempt(writeConflist(files, podCIDR));\n', '']],
  },
  {
    id: 'no-resync',
    why: 'Syncs only when a node has changed: a removed route stays away.',
    origin: 'fl#1070, fl#1759: routes are gone after a link went down and up',
    law: 'Heals',
    edits: [['      queue.addAfter(node, RESYNC_MS);\n', '']],
  },
  {
    id: 'resync-by-the-minute',
    why: 'Resyncs after a minute.',
    origin: 'common',
    law: 'Heals',
    edits: [['const RESYNC_MS = 10_000;', 'const RESYNC_MS = 60_000;']],
  },
  {
    id: 'flushes-at-the-start',
    why: 'Deletes its routes when it starts, and recreates them: each restart interrupts all connections.',
    origin: 'cilium#26668, aws-vpc-cni#711: released before all was restored',
    law: 'Never interrupts',
    edits: [
      [
        '  wake();\n  await runWorkers({',
        '  for (const command of routeCommands(await installedRoutes(context.host.tools), new Map())) await context.host.tools.run(command);\n  wake();\n  await runWorkers({',
      ],
    ],
  },
  {
    id: 'deaf-to-deletions',
    why: 'Does not sync when a node is deleted.',
    origin: 'common',
    law: 'Routed',
    edits: [['onDelete: wake', 'onDelete: () => {}']],
  },
  {
    id: 'deaf-to-changes',
    why: 'Does not sync when a node is updated, although its podCIDR is set after its creation.',
    origin: 'common',
    law: 'Routed',
    edits: [['if (placeOf(previous) !== placeOf(current)) wake();', '']],
  },
];
