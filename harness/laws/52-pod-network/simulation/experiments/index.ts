import { parsePrefix } from '../../../../api/ip-prefix.ts';
import type { CniPlugin } from '../../../../contracts/node/cni-plugin.ts';
import { drawTimeline } from '../../../../drawing/timeline.ts';
import { Simulation } from '../../../../sim/index.ts';
import type { PodNetworkHistory } from '../../history.ts';
import { Findings } from '../../oracle/findings.ts';
import type { PodNetworkScenario } from '../../scenario/index.ts';
import { gcExperiments } from './gc.ts';
import { type Experiment, type ExperimentKit, ExperimentLab, REFUSED, said } from './lab.ts';

const FULL = { isDefaultGateway: true, hairpinMode: true, ipMasq: true };
/** Upper bound of a plugin's calls. */
const CALLS = 60;

/** The starts of the commands that undo an ADD: each of them can fail, too. */
const UNDOING = ['ip link del', 'iptables-restore', 'host-local DEL'] as const;

/**
 * Checks an ADD that fails after the call of the address manager: it undoes everything, the address last, and reports
 * the first error. If it cannot remove the interface or the rules, it keeps the address.
 */
async function failedAdd({ lab, expect }: ExperimentKit): Promise<void> {
  for (const fate of ['fails before', 'fails after'] as const)
    for (const unable of [undefined, ...UNDOING])
      for (let at = 0; at < CALLS; at++) {
        const here = lab();
        let isAsked = false;
        let hasFailed = '';
        let early = '';
        here.befalls = ({ words }, index) => {
          isAsked ||= words === 'host-local ADD';
          if (index === at && isAsked) {
            hasFailed = words;
            return fate;
          }
          return unable && hasFailed !== '' && words.startsWith(unable) ? 'fails before' : undefined;
        };
        here.before = ({ words }) => {
          const left = here.partsOf().filter((part) => !part.startsWith('address'));
          if (words === 'host-local DEL' && hasFailed !== '') early ||= left[0] ?? '';
        };
        const how = said(await here.run({ command: 'ADD', config: FULL }));
        if (hasFailed === '') {
          if (isAsked && at >= here.calls.length) break;
          continue;
        }
        if (how === 'succeeds') continue;
        const what = `an ADD in which "${hasFailed}" fails${unable ? `, and then each "${unable}"` : ''}`;
        expect(
          how.includes(REFUSED) && !how.includes('host-local DEL:'),
          'succeeds',
          `${what} reported "${how}" instead of the first failure`,
        );
        expect(early === '', 'leavesNothing', `${what} released the address before it removed ${early}`);
        if (unable !== undefined && unable !== 'host-local DEL') continue;
        const left = here.partsOf().filter((part) => !unable || !part.startsWith('address'));
        expect(left.length === 0, 'leavesNothing', `${what} left ${left[0]}`);
      }
}

/** Checks that an ADD fails, and keeps the objects of another program. */
async function inTheWay({ lab, expect }: ExperimentKit): Promise<void> {
  const cases = [
    [
      'an eth0 in the namespace',
      'ip link add foreign0 type veth peer name eth0 netns pod-4f5c',
      /already exists/,
    ],
    [
      'a bridge with another address',
      'ip addr add 10.99.0.1/24 dev cni0',
      /already has an IP address different from/,
    ],
    [
      'a bridge with the gateway, but with another prefix length',
      'ip addr add 10.244.1.1/16 dev cni0',
      /already has an IP address different from/,
    ],
    ['another interface that is called cni0', 'ip link add cni0 type veth peer name cni1', /not a bridge/],
  ] as const;
  for (const [name, command, words] of cases) {
    const here = command.startsWith('ip addr')
      ? lab('ip link add cni0 type bridge', 'ip link set cni0 up', command)
      : lab(command);
    const foreign = here.inside().links.get('eth0');
    const before = here.links();
    const how = said(await here.run({ command: 'ADD', config: FULL }));
    expect(words.test(how), 'succeeds', `with ${name}, ADD must fail ("… ${words.source} …"), but it ${how}`);
    const after = here.links();
    const gone = before.find((line) => !after.includes(line));
    expect(gone === undefined, 'undisturbed', `with ${name}, ADD changed "${gone}"`);
    expect(
      here.inside().links.get('eth0') === foreign,
      'undisturbed',
      `with ${name}, ADD replaced or removed the eth0 that was there before`,
    );
    expect(
      here.held.size === 0,
      'leavesNothing',
      `with ${name}, ADD failed, but did not release the address`,
    );
  }
}

/** The sysctls with which a node forwards packets, by address family. */
const FORWARDING = [
  [4, 'net.ipv4.ip_forward'],
  [6, 'net.ipv6.conf.all.forwarding'],
] as const;

const ip = (address: string, gateway?: string) => ({ address, ...(gateway && { gateway }) });

/** Checks addresses and routes of all kinds. */
async function addressKinds({ lab, expect }: ExperimentKit): Promise<void> {
  const six = ip('fd00:1::7/64');
  const cases = [
    {
      name: 'a gateway of its own',
      ips: [ip('10.244.1.7/24', '10.244.1.254')],
      bridge: '10.244.1.254/24',
      routes: '0.0.0.0/0 10.244.1.254',
    },
    {
      name: 'no gateway',
      ips: [ip('10.244.1.7/24')],
      config: { isDefaultGateway: false },
      bridge: '',
      routes: '',
    },
    {
      name: 'a gateway, and isGateway is off',
      ips: [ip('10.244.1.7/24', '10.244.1.1')],
      config: { isDefaultGateway: false },
      bridge: '',
      routes: '',
    },
    {
      name: 'two addresses',
      ips: [ip('10.244.1.7/24'), ip('10.244.1.8/24')],
      bridge: '10.244.1.1/24',
      routes: '0.0.0.0/0 10.244.1.1',
    },
    {
      name: 'addresses of both families',
      ips: [ip('10.244.1.7/24'), six],
      bridge: '10.244.1.1/24 fd00:1::1/64',
      routes: '0.0.0.0/0 10.244.1.1, ::/0 fd00:1::1',
    },
    {
      name: 'only an IPv6 address',
      ips: [six],
      bridge: 'fd00:1::1/64',
      routes: '::/0 fd00:1::1',
    },
  ];
  for (const { name, ips, bridge, routes, config } of cases) {
    const here = lab();
    here.gives = { ips };
    const exit = await here.run({ command: 'ADD', config: { ...FULL, ...config } });
    const how = said(exit);
    expect(
      how === 'succeeds',
      'succeeds',
      `the IPAM plugin returned ${name}: ADD must succeed, but it ${how}`,
    );
    if (how !== 'succeeds') continue;
    const result = JSON.parse(exit?.stdout ?? '') as {
      readonly routes?: readonly { readonly dst: string; readonly gw?: string }[];
    };
    const isRoutes = (result.routes ?? []).map(({ dst, gw }) => `${dst} ${gw}`).join(', ');
    expect(
      isRoutes === routes,
      'truthful',
      `the IPAM plugin returned ${name}: the routes of the pod are "${isRoutes}"; expected "${routes}"`,
    );
    const addressesOf = (link = here.host.links.get('cni0')): string =>
      (link?.addresses ?? [])
        .filter(({ scope }) => scope === 'global')
        .map((each) => `${each.ip.text}/${each.bits}`)
        .join(' ');
    expect(
      addressesOf() === bridge,
      'nodes',
      `the IPAM plugin returned ${name}: the bridge has the addresses "${addressesOf()}"; expected "${bridge}"`,
    );
    const has = addressesOf(here.inside().links.get('eth0'));
    const wanted = ips.map(({ address }) => address).join(' ');
    expect(
      has === wanted,
      'truthful',
      `the IPAM plugin returned ${name}: the pod has the addresses "${has}"; expected "${wanted}"`,
    );
    for (const [family, sysctl] of FORWARDING) {
      if (!bridge.split(' ').some((each) => each !== '' && parsePrefix(each).ip.family === family)) continue;
      const value = here.host.sysctls.get(sysctl) ?? '0';
      expect(
        value === '1',
        'nodes',
        `the IPAM plugin returned ${name}: ${sysctl} of the node is ${value}; expected 1, or the node forwards no IPv${family} packets`,
      );
    }
    const parts = here.partsOf();
    for (const { address } of ips.filter((each) => each !== six)) {
      const source = `-s ${address.replace(/\/.*/, '/32')}`;
      expect(
        parts.some((part) => part.includes(source)),
        'outside',
        `the IPAM plugin returned ${name}: no masquerade rule matches ${address}`,
      );
    }
  }
  const here = lab();
  here.gives = {};
  const how = said(await here.run({ command: 'ADD', config: FULL }));
  expect(
    how.includes('IPAM plugin returned missing IP config'),
    'succeeds',
    `the IPAM plugin returned no address, but ADD ${how}; it must fail and undo its work`,
  );
  expect(
    here.held.size === 0,
    'leavesNothing',
    'after an ADD without an address, the address manager still holds an address: DEL it',
  );
}

/** Checks the options of the pair. */
async function pairs({ lab, expect }: ExperimentKit): Promise<void> {
  for (const hairpinMode of [false, true]) {
    const here = lab();
    await here.run({ command: 'ADD', config: { isGateway: true, hairpinMode, mtu: 1_400 } });
    const hairpin = here.hostEnd()?.hairpin;
    expect(
      hairpin === hairpinMode,
      'reachesItself',
      `ADD with hairpinMode ${hairpinMode}: hairpin of the bridge port is ${hairpin}; expected ${hairpinMode}`,
    );
    for (const [name, link] of [
      ['the bridge', here.host.links.get('cni0')],
      ['the host end of the pair', here.hostEnd()],
      ['the pod end of the pair', here.inside().links.get('eth0')],
    ] as const)
      expect(
        link?.mtu === 1_400,
        'truthful',
        `ADD with mtu 1400: ${name} has the MTU ${link?.mtu ?? 'of no link'}; expected 1400`,
      );
  }
  const here = lab();
  const config = { isGateway: true };
  for (const ifname of ['eth0', 'net1']) {
    const how = said(await here.run({ command: 'ADD', ifname, config }));
    expect(how === 'succeeds', 'succeeds', `ADD of ${ifname} of one container must succeed, but it ${how}`);
  }
  expect(here.inside().links.has('eth0'), 'undisturbed', 'ADD of net1 removed eth0 of the same container');
  const valid = [{ containerID: '4f5c', ifname: 'eth0' }];
  await here.run({ command: 'GC', config: { ...config, 'cni.dev/valid-attachments': valid } });
  expect(
    here.inside().links.has('eth0'),
    'undisturbed',
    'GC removed eth0, although it is in the list of valid attachments',
  );
  expect(
    !here.inside().links.has('net1'),
    'collects',
    'GC left net1, although only eth0 of that container is in the list of valid attachments',
  );
}

/** Checks the calls of the address manager, and the use of their results. */
async function delegates({ lab, expect }: ExperimentKit): Promise<void> {
  const here = lab();
  for (const command of ['ADD', 'DEL', 'STATUS'] as const) await here.run({ command });
  expect(
    here.delegated.some(({ env }) => env.CNI_COMMAND === 'STATUS'),
    'succeeds',
    'STATUS did not run the IPAM plugin with STATUS: the plugin is ready only if its IPAM plugin is',
  );
  for (const { env, stdin } of here.delegated) {
    const isSame =
      env.CNI_ARGS === 'K8S_POD_NAMESPACE=default;K8S_POD_NAME=web' && env.CNI_PATH === '/opt/cni/bin';
    expect(
      isSame,
      'succeeds',
      `${env.CNI_COMMAND} of the IPAM plugin did not get the plugin's environment: CNI_ARGS is ${env.CNI_ARGS}`,
    );
    expect(
      JSON.parse(stdin).name === 'cbr0',
      'succeeds',
      `${env.CNI_COMMAND} of the IPAM plugin did not get the plugin's configuration on stdin`,
    );
  }
  here.befalls = () => 'fails before';
  const exit = await here.run({ command: 'STATUS' });
  const error =
    exit && exit.code !== 0 ? (JSON.parse(exit.stdout) as { code: number; msg: string }) : undefined;
  expect(
    error?.code === 999 && error.msg.includes(REFUSED),
    'succeeds',
    `the IPAM plugin's STATUS failed, but STATUS of the plugin ${said(exit)}`,
  );
}

/** Checks that CHECK needs the result of the ADD. */
async function checksResult({ lab, expect }: ExperimentKit): Promise<void> {
  const here = lab();
  const exit = await here.run({ command: 'ADD', config: FULL });
  const without = said(await here.run({ command: 'CHECK', config: FULL }));
  expect(
    without !== 'succeeds',
    'checks',
    'CHECK without prevResult succeeded, but it has nothing to compare; it must fail with "Required prevResult missing"',
  );
  if (exit?.code !== 0) return;
  const prevResult: unknown = JSON.parse(exit.stdout);
  const how = said(await here.run({ command: 'CHECK', config: { ...FULL, prevResult } }));
  expect(how === 'succeeds', 'checks', `CHECK with the result of the ADD as prevResult ${how}`);
}

/** Checks that a DEL succeeds if the interface disappears during its removal, and fails if it stays. */
async function removals({ lab, expect }: ExperimentKit): Promise<void> {
  const config = { ...FULL, ipMasq: false };
  const isRemoval = (words: string): boolean => /\blink del/.test(words);
  const goes = lab();
  await goes.run({ command: 'ADD', config });
  goes.before = ({ words }) => {
    const eth0 = goes.inside().links.has('eth0');
    if (isRemoval(words) && eth0) goes.machine.do('ip -n pod-4f5c link del eth0');
  };
  const how = said(await goes.run({ command: 'DEL', config }));
  expect(
    how === 'succeeds',
    'succeeds',
    `DEL must succeed when the interface disappears just before "ip link del", but it ${how}`,
  );
  expect(
    goes.held.size === 0,
    'leavesNothing',
    'after a DEL whose interface disappeared, the address is still reserved',
  );
  const stays = lab();
  await stays.run({ command: 'ADD', config });
  stays.befalls = ({ words }) => (isRemoval(words) ? 'fails before' : undefined);
  const then = said(await stays.run({ command: 'DEL', config }));
  if (!stays.inside().links.has('eth0')) return;
  expect(then !== 'succeeds', 'succeeds', 'DEL succeeded, although "ip link del" failed');
  expect(
    stays.held.size === 1,
    'leavesNothing',
    'DEL released the address, although "ip link del" failed and eth0 still has the address',
  );
}

const experiments = {
  'an ADD that fails': failedAdd,
  'another program owns the name': inTheWay,
  'addresses of all kinds': addressKinds,
  'options of the pair': pairs,
  'calls of the address manager': delegates,
  'removal of interfaces': removals,
  'CHECK without a result': checksResult,
  ...gcExperiments,
} satisfies Record<string, Experiment>;

/** The names of all experiments. */
export const experimentNames = Object.keys(experiments);

/** Runs an experiment with the plugin alone. */
export async function runExperiment(
  bridge: CniPlugin,
  { name, scenario }: { readonly name: string; readonly scenario: PodNetworkScenario },
): Promise<PodNetworkHistory> {
  const sim = new Simulation();
  const findings = new Findings(() => sim.elapsedMs);
  const experiment = (experiments as Record<string, Experiment>)[name];
  await experiment?.({
    lab: (...commands) => new ExperimentLab(sim, bridge, ...commands),
    expect: (is, law, message) => {
      if (!is) findings.break(law, message);
    },
  });
  const { trace } = sim;
  return {
    scenario,
    findings,
    hash: trace.hash(),
    timeline: () => drawTimeline(trace.entries),
    endMs: sim.elapsedMs,
  };
}
