import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { pods } from '#harness';
import { holds, remembering } from '#harness/testing';
import { bridge, routeController } from '#kata/52-pod-network/pod-network';
import {
  clusterOfPods,
  isNodeReady,
  type PodNetworkScenario,
  podNetworkLaws,
  runPodNetwork,
  workloads,
} from '#laws/52-pod-network';

/** Runs each scenario once for all laws. The laws use only the plugin and the agent. */
const live = remembering((scenario: PodNetworkScenario) =>
  runPodNetwork({ bridge, routeController, components }, scenario),
);

describe('The laws of packets', () => {
  test('Connects: every pod reaches every other pod, on every node, with its own source address', () =>
    holds(podNetworkLaws.connects, workloads, live));

  test('Reaches itself: a pod reaches itself, by its address and by its Service', () =>
    holds(podNetworkLaws.reachesItself, workloads, live));

  test('Reaches nodes: every node reaches every pod, and every pod reaches every node', () =>
    holds(podNetworkLaws.nodes, workloads, live));

  test('Reaches outside: external hosts answer a pod, and see the address of its node', () =>
    holds(podNetworkLaws.outside, workloads, live));

  test('Serves host ports: a connection to the hostPort of a pod reaches that pod', () =>
    holds(podNetworkLaws.hostPort, workloads, live));
});

describe('The laws of the plugin', () => {
  test('As configured: an ADD follows its configuration, and its result lists what it has created', () =>
    holds(podNetworkLaws.truthful, workloads, live));

  test('Succeeds: every command without a fault succeeds, even after a command that failed or crashed', () =>
    holds(podNetworkLaws.succeeds, workloads, live));

  test('Leaves nothing: after a DEL nothing of the pod is left', () =>
    holds(podNetworkLaws.leavesNothing, workloads, live));

  test('Isolated: a command for one pod changes nothing of another pod', () =>
    holds(podNetworkLaws.undisturbed, workloads, live));

  test('Collects garbage: after a GC only valid attachments are left', () =>
    holds(podNetworkLaws.collects, workloads, live));

  test('Checks: a CHECK fails if and only if something was changed', () =>
    holds(podNetworkLaws.checks, workloads, live));

  test('Constant MAC: the bridge keeps its MAC address', () =>
    holds(podNetworkLaws.constant, workloads, live));
});

describe('The laws of the agent', () => {
  test('Routed: each node has a route to the podCIDR of each other node, and no stale routes', () =>
    holds(podNetworkLaws.routed, workloads, live));

  test('Heals: the agent restores a removed route, rule or configuration within ten seconds', () =>
    holds(podNetworkLaws.heals, workloads, live));

  test('Keeps foreign routes: the agent keeps routes of other programs', () =>
    holds(podNetworkLaws.modest, workloads, live));

  test('Never interrupts: the agent never removes a correct route, not even for a moment', () =>
    holds(podNetworkLaws.calm, workloads, live));

  test('Configures: the network configuration has the podCIDR of this node', () =>
    holds(podNetworkLaws.configures, workloads, live));

  test('Stable: the agent changes nothing if nothing needs a change', () =>
    holds(podNetworkLaws.quiet, workloads, live));
});

describe('In a cluster', () => {
  test('End to end: pods of two nodes reach each other, their nodes and external hosts, despite crashes, and leave nothing', async () => {
    const names = ['node-1', 'node-2'];
    const web = await clusterOfPods({ ...components, podNetwork: bridge, routeController }, names);
    await using cluster = web.cluster;
    cluster.nemesis.schedule([
      {
        atMs: 0,
        fault: 'crash',
        process: 'kube-flannel-node-2',
        skip: 3,
        performed: true,
        restartAfterMs: 500,
      },
      { atMs: 0, fault: 'fail-call', process: 'cni-node-1', port: 'tools', performed: true },
      { atMs: 5_000, fault: 'crash', process: 'cni-node-2', skip: 9, performed: false, restartAfterMs: 100 },
      { atMs: 5_000, fault: 'cut-watches', process: 'kube-flannel-node-1' },
    ]);
    await web.run('web-0', 'node-1', 8080);
    await web.run('web-1', 'node-1');
    await web.run('web-2', 'node-2');
    await cluster.runFor(120_000);
    expect(names.map((name) => isNodeReady(cluster, name))).toEqual([true, true]);
    const [first = '', second = '', third = ''] = ['web-0', 'web-1', 'web-2'].map(web.ipOf);
    expect(first).toMatch(/^10\.244\.1\./);
    expect(third).toMatch(/^10\.244\.2\./);
    expect(web.reach('web-0', second)).toBe(`seen from ${first}`);
    expect(web.reach('web-0', third)).toBe(`seen from ${first}`);
    expect(web.reach('web-2', second)).toBe(`seen from ${third}`);
    expect(web.reach('node-2', first)).toMatch(/^seen from/);
    expect(web.reach('web-2', '203.0.113.1')).toBe('seen from 192.168.0.2');
    expect(web.reach('laptop', '192.168.0.1', 8080)).toMatch(/^seen from/);
    expect(web.reach('web-0', '192.168.0.1', 8080)).toMatch(/^seen from/);
    for (const name of ['web-0', 'web-1', 'web-2'])
      await cluster.admin.delete(pods, { namespace: 'default', name });
    await cluster.runFor(60_000);
    for (const name of names) {
      const tools = cluster.machine(name)?.host.tools;
      const veths = await tools?.run(['ip', '-j', 'link', 'show', 'type', 'veth']);
      expect(JSON.parse(veths ?? ''), `of ${name}`).toEqual([]);
    }
  });
});
