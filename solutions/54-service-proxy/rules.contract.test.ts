import { describe, expect, test } from 'vitest';
import type { discovery } from '#harness';
import { MachineNetwork, onTheReal, seededRandom, whyNotReal } from '#harness/testing';
import { jumps } from './base-rules.ts';
import { defaultConfiguration } from './configuration.ts';
import { IPTables } from './iptables.ts';
import { serviceOf, sliceOf, written } from './objects.fixture.ts';

const why = whyNotReal('ip', 'iptables', 'iptables-restore', 'iptables-save', 'base64');

const endpointAt = (ip: string, nodeName: string, ready = true): discovery.Endpoint => ({
  addresses: [ip],
  conditions: { ready, serving: true, terminating: !ready },
  nodeName,
});

const http = { name: 'http', protocol: 'TCP', port: 80 };
const dns = { name: 'dns', protocol: 'UDP', port: 53 };

/** One of each kind, so that each rule that is ever written is written here. */
const services = [
  serviceOf('default/web', { clusterIP: '10.96.0.20', ports: [http] }),
  serviceOf('default/sticky', {
    clusterIP: '10.96.0.21',
    ports: [http, dns],
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
  }),
  serviceOf('default/none', {
    type: 'NodePort',
    clusterIP: '10.96.0.22',
    externalIPs: ['198.51.100.1'],
    ports: [{ ...http, nodePort: 30_080 }],
  }),
  serviceOf(
    'default/local',
    {
      type: 'LoadBalancer',
      clusterIP: '10.96.0.23',
      externalIPs: ['198.51.100.2'],
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Local',
      healthCheckNodePort: 32_000,
      loadBalancerSourceRanges: ['203.0.113.0/24', ' 192.168.0.0/16 '],
      ports: [{ ...http, nodePort: 30_081 }],
    },
    { loadBalancer: { ingress: [{ ip: '198.51.100.3' }] } },
  ),
  serviceOf('default/away', {
    type: 'NodePort',
    clusterIP: '10.96.0.24',
    externalTrafficPolicy: 'Local',
    internalTrafficPolicy: 'Local',
    ports: [
      { ...http, nodePort: 30_082 },
      { name: 'sctp', protocol: 'SCTP', port: 99, nodePort: 30_083 },
    ],
  }),
];
const here = endpointAt('10.244.1.2', 'node-1');
const there = endpointAt('10.244.2.2', 'node-2');
const slices = [
  sliceOf('default/web', [here, there, endpointAt('10.244.2.3', 'node-2')], [http]),
  sliceOf('default/sticky', [here, there], [http, dns]),
  sliceOf('default/local', [endpointAt('10.244.1.4', 'node-1', false), there], [http]),
  sliceOf('default/away', [there], [http, { name: 'sctp', protocol: 'SCTP', port: 99 }]),
];

describe(`The rules, beside those of a real Linux${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(why).each([
    ['as they are by default', defaultConfiguration],
    ['without 127.0.0.1', { ...defaultConfiguration, localhostNodePorts: false }],
    ['masquerading all', { ...defaultConfiguration, masqueradeAll: true, masqueradeBit: 15 }],
  ])('%s, are taken and read back the same', async (_, configuration) => {
    const text = written(services, slices, { configuration });
    const fake = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
    await new IPTables(fake.tools).restore(text);
    const restore = 'iptables-restore -w 5 --noflush --counters';
    const [restored, filter, nat] = await onTheReal([
      `echo ${Buffer.from(text).toString('base64')} | base64 -d | ${restore}`,
      'iptables-save -t filter',
      'iptables-save -t nat',
    ]);
    expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await fake.tools.run(['iptables-save', '-t', 'filter'])).toBe(plain(filter?.stdout));
    expect(await fake.tools.run(['iptables-save', '-t', 'nat'])).toBe(plain(nat?.stdout));
  });

  test.skipIf(why)('the ways to them are found, made once, and missed when they are gone', async () => {
    const commands: string[] = [];
    const fake = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
    const iptables = new IPTables({
      run: (argv, stdin) => {
        commands.push(argv.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' '));
        return fake.tools.run(argv, stdin);
      },
    });
    for (let i = 0; i < 2; i++) for (const jump of jumps) await iptables.ensureJump(jump);
    expect(await iptables.hasCanary()).toBe(false);
    await iptables.ensureCanary();
    expect(await iptables.hasCanary()).toBe(true);
    const theirs = await onTheReal([...commands, 'iptables-save -t filter', 'iptables-save -t nat']);
    expect(await fake.tools.run(['iptables-save', '-t', 'filter'])).toBe(plain(theirs.at(-2)?.stdout));
    expect(await fake.tools.run(['iptables-save', '-t', 'nat'])).toBe(plain(theirs.at(-1)?.stdout));
    // Each jump is looked for twice, and made once.
    expect(theirs.filter(({ command }) => command.includes(' -I '))).toHaveLength(jumps.length);
  });
});

/** Without what says when it was printed, and how many packets policies have counted. */
function plain(saved = ''): string {
  return saved.replace(/^#.*\n/gm, '').replace(/^(:\S+ \S+) \[\d+:\d+\]$/gm, '$1 [0:0]');
}
