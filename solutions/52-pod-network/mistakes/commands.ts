import type { Mistake } from '#harness/testing';

/** ADD and DEL: level 4. */
export const commands: readonly Mistake[] = [
  {
    id: 'leftovers-are-in-the-way',
    why: 'Does not remove the remains of an earlier attempt: the pod can never start.',
    origin: 'coil#70, cni-plugin#275: “file exists”',
    law: 'Succeeds',
    edits: [['  await del(request);\n  await ensureBridge', '  await ensureBridge']],
  },
  {
    id: 'leftover-address-is-in-the-way',
    why: 'Removes the interface of an earlier attempt, but not its address.',
    origin: 'cnip#498',
    law: 'Succeeds',
    edits: [
      [
        '  await del(request);\n  await ensureBridge',
        '  await removeVeth($, hostVethName(request));\n  await ensureBridge',
      ],
    ],
  },
  {
    id: 'keeps-the-address',
    why: 'Does not release the address after a later failure.',
    origin: 'cni SPEC.md section 4; common',
    law: 'Leaves nothing',
    edits: [['    await del(request).catch(() => {});\n    throw error;', '    throw error;']],
  },
  {
    id: 'undoes-the-address-alone',
    why: 'After a failure, releases the address while the interface still has it: another pod may get the same address.',
    origin: 'cnip v1.9.1 bridge.go cmdAdd does so',
    law: 'Isolated',
    edits: [['await del(request).catch(() => {});', "await delegate(request, 'DEL').catch(() => {});"]],
  },
  {
    id: 'tells-of-the-undoing',
    why: 'If releasing the address fails, it reports this error instead of the first one.',
    origin: 'common',
    law: 'Succeeds',
    edits: [['await del(request).catch(() => {});', 'await del(request);']],
  },
  {
    id: 'interfaces-in-another-order',
    why: "Lists the container's interface first, so that addresses refer to the bridge.",
    origin: 'common',
    law: 'As configured',
    edits: [
      [
        'return { cniVersion, interfaces, ips, routes };',
        'return { cniVersion, interfaces: interfaces.toReversed(), ips, routes };',
      ],
    ],
  },
  {
    id: 'always-cni0',
    why: 'Attaches each pod to cni0, regardless of the configured name.',
    origin: 'common',
    law: 'Succeeds',
    edits: [
      [
        'await ensureBridge($, bridge, config.mtu);\n  await setUpVeth($, request, config);',
        "await ensureBridge($, 'cni0', config.mtu);\n  await setUpVeth($, request, { ...config, bridge: 'cni0' });",
      ],
    ],
  },
  {
    id: 'del-needs-the-namespace',
    why: 'DEL fails if the namespace does not exist.',
    origin: 'k#43014',
    law: 'Succeeds',
    edits: [
      [
        '  await removeVeth(shell(tools), hostVethName(request));\n  if (',
        '  await checkNamespace(shell(tools), request);\n  await removeVeth(shell(tools), hostVethName(request));\n  if (',
      ],
    ],
  },
  {
    id: 'del-without-a-namespace-does-nothing',
    why: 'DEL does nothing without a namespace.',
    origin: 'common',
    law: 'Leaves nothing',
    edits: [
      [
        '  await removeVeth(shell(tools), hostVethName(request));\n  if (',
        "  if (request.netns === '') return;\n  await removeVeth(shell(tools), hostVethName(request));\n  if (",
      ],
    ],
  },
  {
    id: 'address-goes-first',
    why: 'DEL releases the address before it removes the interface: if it fails in between, two pods have the address.',
    origin: 'cnip: bridge.go cmdDel says why',
    law: 'Isolated',
    edits: [
      [
        '  await removeVeth(shell(tools), hostVethName(request));\n  if (',
        "  await delegate(request, 'DEL');\n  await removeVeth(shell(tools), hostVethName(request));\n  if (",
      ],
      ["  await delegate(request, 'DEL');\n}", '}'],
    ],
  },
  {
    id: 'keeps-the-address-for-ever',
    why: 'DEL removes the interface but does not release the address.',
    origin: 'cnip#498: the pool is full of addresses without an owner',
    law: 'Leaves nothing',
    edits: [["  await delegate(request, 'DEL');\n}", '}']],
  },
  {
    id: 'takes-the-bridge-along',
    why: 'DEL also removes the bridge, and so disconnects all pods.',
    origin: 'containers/netavark#183: a teardown that takes what is shared',
    law: 'Isolated',
    edits: [
      [
        '  await removeVeth(shell(tools), hostVethName(request));\n  if (',
        '  const had = await linkNamed(shell(tools), hostVethName(request));\n  await removeVeth(shell(tools), hostVethName(request));\n  if (had) await removeVeth(shell(tools), bridgeConfiguration(request).bridge);\n  if (',
      ],
    ],
  },
];
