import { describe, expect, test } from 'vitest';
import type { framework } from '#harness';
import { nodePorts, portsConflict } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, type SchedulingPodParts } from '#laws/scheduling';
import type { PodSpec } from './rows.fixture.ts';
import { table } from './tables.fixture.ts';
import { askOne, expectOne, inLine } from './verdicts.fixture.ts';

describe('Level 4 · Ports', () => {
  const TAKEN = "Unschedulable: node(s) didn't have free ports for the requested pod ports";
  const port = (hostIP: string, hostPort: number, protocol = 'TCP'): framework.HostPort => ({
    hostIP,
    hostPort,
    protocol,
  });

  test.each<[string, framework.HostPort, framework.HostPort, boolean]>([
    ['the same', port('10.0.0.1', 80), port('10.0.0.1', 80), true],
    ['another number', port('10.0.0.1', 80), port('10.0.0.1', 81), false],
    ['another protocol', port('10.0.0.1', 80), port('10.0.0.1', 80, 'UDP'), false],
    ['another address', port('10.0.0.1', 80), port('10.0.0.2', 80), false],
    ['every address and one', port('0.0.0.0', 80), port('10.0.0.1', 80), true],
    ['every address twice', port('0.0.0.0', 80), port('0.0.0.0', 80), true],
    ['every address, but another protocol', port('0.0.0.0', 80), port('10.0.0.1', 80, 'SCTP'), false],
    ['every address, but another number', port('0.0.0.0', 80), port('10.0.0.1', 8_080), false],
  ])('decides in both directions whether two ports conflict: %s', (_, a, b, conflict) => {
    expect(portsConflict(a, b), `${inLine(a)} and ${inLine(b)}`).toBe(conflict);
    expect(portsConflict(b, a), `${inLine(b)} and ${inLine(a)}`).toBe(conflict);
  });

  const node = aSchedulingNode('a');
  type Ports = NonNullable<SchedulingPodParts['ports']>;
  /** A pod with `ports` on a node where a pod has `taken`. */
  const beside = (ports: Ports | undefined, taken: Ports) =>
    expectOne(nodePorts, aSchedulingPod(ports ? { ports } : {}), node, [
      aSchedulingPod({ name: 'there', ports: taken }),
    ]);

  interface PortsRow {
    readonly podPorts: Ports;
    readonly usedPorts: Ports;
  }
  test.each(table<PortsRow, { fits: boolean; code?: framework.Code }>('nodePorts', 9))(
    'judges ports as upstream does: %s',
    (_, { input: { podPorts, usedPorts }, expect: { fits } }) =>
      beside(podPorts, usedPorts).toBe(fits ? 'Success' : TAKEN),
  );

  test('defaults the address to 0.0.0.0 and the protocol to TCP', () => {
    beside([{ hostPort: 80 }], [{ hostPort: 80, hostIP: '10.0.0.1', protocol: 'TCP' }]).toBe(TAKEN);
    beside([{ hostPort: 80, hostIP: '10.0.0.1', protocol: 'TCP' }], [{ hostPort: 80 }]).toBe(TAKEN);
    beside([{ hostPort: 80 }], [{ hostPort: 80, protocol: 'UDP' }]).toBe('Success');
  });

  test('skips a pod without host ports', () => {
    beside(undefined, [{ hostPort: 80 }]).toBe('Success');
    beside([{ containerPort: 80 }], [{ hostPort: 80 }]).toBe('Success');
    beside([{ containerPort: 80, hostPort: 0 }], [{ containerPort: 80, hostPort: 0 }]).toBe('Success');
  });

  test('checks every pod on the node', () => {
    const there = [80, 81, 82].map((hostPort) =>
      aSchedulingPod({ name: `p${hostPort}`, ports: [{ hostPort }] }),
    );
    for (const hostPort of [80, 81, 82, 83])
      expect(
        askOne(nodePorts, aSchedulingPod({ ports: [{ hostPort }] }), node, there),
        String(hostPort),
      ).toBe(hostPort === 83 ? 'Success' : TAKEN);
  });

  const initContainer = (restartPolicy?: string): Partial<PodSpec> => ({
    initContainers: [
      {
        name: 'first',
        ports: [{ containerPort: 80, hostPort: 80 }],
        ...(restartPolicy ? { restartPolicy } : {}),
      },
    ],
  });

  test('ignores init containers, and counts sidecars', () => {
    const there = (spec: Partial<PodSpec>) => [aSchedulingPod({ name: 'there', spec })];
    const wants = aSchedulingPod({ ports: [{ hostPort: 80 }] });
    expectOne(nodePorts, wants, node, there(initContainer())).toBe('Success');
    expectOne(nodePorts, wants, node, there(initContainer('Always'))).toBe(TAKEN);
    const has = [aSchedulingPod({ name: 'there', ports: [{ hostPort: 80 }] })];
    expectOne(nodePorts, aSchedulingPod({ spec: initContainer() }), node, has).toBe('Success');
    expectOne(nodePorts, aSchedulingPod({ spec: initContainer('Always') }), node, has).toBe(TAKEN);
  });
});
