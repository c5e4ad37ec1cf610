import { describe, expect, test } from 'vitest';
import { endpointSlices, nodes, services } from '../../../api/resource.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import { onTheReal, whyNotReal } from '../../../node/network/contract/kernels.ts';
import { NAMESPACE, serviceSpec, serviceStatus, sliceOf } from '../environment.ts';
import type { Backend, ServiceName, Shape } from '../scenario.ts';
import { NODE, ProxyNetwork } from '../simulation/network.ts';

const { components } = await import('#components');

const why = whyNotReal('ip', 'iptables', 'iptables-restore', 'iptables-save', 'base64');

const shape: Shape = {
  external: 'none',
  isExternalLocal: false,
  isInternalLocal: false,
  isSticky: false,
  isGuarded: false,
};

const there: Backend = { pod: 'there-1', state: 'ready', slice: 0 };
const here: Backend = { pod: 'here-1', state: 'ready', slice: 1 };

/** Services of all kinds, so that every kind of rule is written. */
const incarnations: readonly (readonly [
  string,
  Readonly<Partial<Record<ServiceName, [Shape, Backend[]]>>>,
])[] = [
  ['within the cluster', { web: [shape, [there, here]], api: [shape, []], dns: [shape, [here]] }],
  [
    'with affinity, and from outside',
    {
      web: [{ ...shape, isSticky: true, external: 'node-port' }, [there, here]],
      api: [{ ...shape, external: 'external-ip' }, []],
      dns: [{ ...shape, isSticky: true, external: 'external-ip' }, [there]],
    },
  ],
  [
    'on this node alone',
    {
      web: [
        {
          ...shape,
          external: 'load-balancer',
          isExternalLocal: true,
          isInternalLocal: true,
          isGuarded: true,
        },
        [there, { ...here, state: 'draining' }],
      ],
      api: [{ ...shape, external: 'node-port', isExternalLocal: true, isInternalLocal: true }, [there]],
      dns: [{ ...shape, external: 'load-balancer', isGuarded: true }, [here]],
    },
  ],
];

describe(`A service proxy's commands, compared with a real iptables${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(why).each(incarnations)('%s: yields the same rules', async (_, incarnation) => {
    await using cluster = await createCluster({ components });
    const { machine } = new ProxyNetwork(cluster);
    const { tools } = machine.network;
    const foreign = [await tools.run(['iptables-save'])];
    const commands = foreign.map((saved) => piped(saved, 'iptables-restore'));
    const run = tools.run.bind(tools);
    tools.run = (argv, stdin) => {
      const words = argv.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
      // The real iptables does not know the pods.
      if (!words.startsWith('conntrack')) commands.push(stdin ? piped(stdin, words) : words);
      return run(argv, stdin);
    };
    await cluster.admin.create(nodes, { metadata: { name: NODE }, spec: {} });
    cluster.runOnNode(NODE, 'serviceProxy');
    for (const [name, [how, backends]] of Object.entries(incarnation) as [
      ServiceName,
      [Shape, Backend[]],
    ][]) {
      const spec = serviceSpec(name, how);
      const service = await cluster.admin.create(services, {
        metadata: { name, namespace: NAMESPACE },
        spec,
      });
      await cluster.admin.updateStatus(services, { ...service, status: serviceStatus(name, how) });
      for (const number of [0, 1] as const) {
        await cluster.admin.create(endpointSlices, sliceOf(name, number, { backends, hints: 'none' }));
      }
      await cluster.runFor(5_000);
    }
    // Unused chains are removed, too.
    await cluster.admin.delete(services, { namespace: NAMESPACE, name: 'dns' });
    await cluster.runFor(60_000);

    const theirs = await onTheReal([...commands, 'iptables-save -t filter', 'iptables-save -t nat']);
    const refused = theirs.filter(({ exitCode, command }) => exitCode !== 0 && !/ -[NCS] /.test(command));
    expect(refused).toEqual([]);
    expect(await run(['iptables-save', '-t', 'filter'])).toBe(plain(theirs.at(-2)?.stdout));
    expect(await run(['iptables-save', '-t', 'nat'])).toBe(plain(theirs.at(-1)?.stdout));
  });
});

function piped(text: string, command: string): string {
  return `echo ${Buffer.from(text).toString('base64')} | base64 -d | ${command}`;
}

/** Removes the print time, and the packet counts of policies. */
function plain(saved = ''): string {
  return saved.replace(/^#.*\n/gm, '').replace(/^(:\S+ \S+) \[\d+:\d+\]$/gm, '$1 [0:0]');
}
