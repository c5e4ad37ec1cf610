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

/** All laws are read off the same lives; each is lived once. They ask for a plugin and an agent, and not for a shape. */
const live = remembering((scenario: PodNetworkScenario) =>
  runPodNetwork({ bridge, routeController, components }, scenario),
);

describe('The laws of packets', () => {
  test('Connects: every pod reaches every other pod, on every node, and is seen under its own address', () =>
    holds(podNetworkLaws.connects, workloads, live));

  test('Reaches itself: a pod reaches itself, at its address and by its service', () =>
    holds(podNetworkLaws.reachesItself, workloads, live));

  test('Nodes: every node reaches every pod, and every pod every node', () =>
    holds(podNetworkLaws.nodes, workloads, live));

  test('Outside: the world outside answers a pod, and sees the address of its node', () =>
    holds(podNetworkLaws.outside, workloads, live));

  test('Host port: what asks the port of a node that is a pod’s reaches that pod', () =>
    holds(podNetworkLaws.hostPort, workloads, live));
});

describe('The laws of the plugin', () => {
  test('Truthful: the result of an ADD says what is there, in the order that upstream has', () =>
    holds(podNetworkLaws.truthful, workloads, live));

  test('Succeeds: what no fault strikes succeeds, also after something that one has struck', () =>
    holds(podNetworkLaws.succeeds, workloads, live));

  test('Leaves nothing: after a DEL there is nothing of the pod', () =>
    holds(podNetworkLaws.leavesNothing, workloads, live));

  test('Undisturbed: what is done for one pod changes nothing that another has', () =>
    holds(podNetworkLaws.undisturbed, workloads, live));

  test('Collects: after a GC there is what is valid, and nothing else', () =>
    holds(podNetworkLaws.collects, workloads, live));

  test('Checks: a CHECK objects to what has been changed, and to nothing else', () =>
    holds(podNetworkLaws.checks, workloads, live));

  test('Constant: the bridge keeps its address', () => holds(podNetworkLaws.constant, workloads, live));
});

describe('The laws of the agent', () => {
  test('Routed: each node has a route to the pods of each other node, and to nothing that is gone', () =>
    holds(podNetworkLaws.routed, workloads, live));

  test('Heals: what is removed is there again after ten seconds', () =>
    holds(podNetworkLaws.heals, workloads, live));

  test('Modest: routes that the agent has not made stay as they are', () =>
    holds(podNetworkLaws.modest, workloads, live));

  test('Calm: a route that is right is never taken away, not for a moment', () =>
    holds(podNetworkLaws.calm, workloads, live));

  test('Configures: the configuration of the network says the addresses of this node', () =>
    holds(podNetworkLaws.configures, workloads, live));

  test('Quiet: where nothing is owed, the agent changes nothing', () =>
    holds(podNetworkLaws.quiet, workloads, live));
});

describe('In a cluster', () => {
  test('End to end: pods of two nodes reach each other, their nodes and the world outside, through crashes, and leave nothing', async () => {
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
