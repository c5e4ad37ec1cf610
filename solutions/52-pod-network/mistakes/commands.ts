import type { Mistake } from '#harness/testing';

/** ADD and DEL: level 4. */
export const commands: readonly Mistake[] = [
  {
    id: 'leftovers-are-in-the-way',
    why: 'Does not remove what an earlier try has left: the pod can never start.',
    origin: 'coil#70, cni-plugin#275: “file exists”',
    law: 'Succeeds',
    edits: [['  await del(request);\n  await ensureBridge', '  await ensureBridge']],
  },
  {
    id: 'leftover-address-is-in-the-way',
    why: 'Removes the interface that an earlier try has left, and not its address.',
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
    why: 'Does not give the address back when something fails after it was given.',
    origin: 'cni SPEC.md section 4; common',
    law: 'Leaves nothing',
    edits: [['    await del(request).catch(() => {});\n    throw error;', '    throw error;']],
  },
  {
    id: 'undoes-the-address-alone',
    why: 'When something fails, gives the address back while the interface still has it: a moment later two pods have it.',
    origin: 'cnip v1.9.1 bridge.go cmdAdd does so',
    law: 'Undisturbed',
    edits: [['await del(request).catch(() => {});', "await delegate(request, 'DEL').catch(() => {});"]],
  },
  {
    id: 'tells-of-the-undoing',
    why: 'When giving the address back fails, tells that, and not what failed first.',
    origin: 'common',
    law: 'Succeeds',
    edits: [['await del(request).catch(() => {});', 'await del(request);']],
  },
  {
    id: 'interfaces-in-another-order',
    why: 'Tells of the container first: addresses then point to the bridge.',
    origin: 'common',
    law: 'Truthful',
    edits: [
      [
        'return { cniVersion, interfaces, ips, routes };',
        'return { cniVersion, interfaces: interfaces.toReversed(), ips, routes };',
      ],
    ],
  },
  {
    id: 'always-cni0',
    why: 'Plugs each pod into cni0, whatever name the configuration has for the bridge.',
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
    why: 'DEL fails when the namespace is gone.',
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
    why: 'DEL does nothing when it is told no namespace.',
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
    why: 'DEL gives the address back before it removes the interface: when it fails in between, two pods have it.',
    origin: 'cnip: bridge.go cmdDel says why',
    law: 'Undisturbed',
    edits: [
      [
        '  await removeVeth(shell(tools), hostVethName(request));\n  if (',
        "  await delegate(request, 'DEL');\n  await removeVeth(shell(tools), hostVethName(request));\n  if (",
      ],
      [" of this one are meant.\n  await delegate(request, 'DEL');", ' of this one are meant.'],
    ],
  },
  {
    id: 'keeps-the-address-for-ever',
    why: 'DEL removes the interface and forgets the address.',
    origin: 'cnip#498: the pool is full of addresses without an owner',
    law: 'Leaves nothing',
    edits: [[" of this one are meant.\n  await delegate(request, 'DEL');", ' of this one are meant.']],
  },
  {
    id: 'takes-the-bridge-along',
    why: 'DEL removes the bridge, too: of all pods.',
    origin: 'containers/netavark#183: a teardown that takes what is shared',
    law: 'Undisturbed',
    edits: [
      [
        '  await removeVeth(shell(tools), hostVethName(request));\n  if (',
        '  const had = await linkNamed(shell(tools), hostVethName(request));\n  await removeVeth(shell(tools), hostVethName(request));\n  if (had) await removeVeth(shell(tools), bridgeConfiguration(request).bridge);\n  if (',
      ],
    ],
  },
];
