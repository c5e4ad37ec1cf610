import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../api/objects.ts';
import { NodeInfo } from './node-info.ts';
import { Snapshot } from './snapshot.ts';
import type { Share, TopologyCounts } from './tallies.ts';

describe('Counts by topology', () => {
  test('sum the shares of a domain, and omit 0 and nodes without the label', () => {
    const snapshot = new Snapshot([
      nodeInfo('a', { zone: 'x' }, 2),
      nodeInfo('b', { zone: 'x' }, 1),
      nodeInfo('c', { zone: 'y' }, 0),
      nodeInfo('d', {}, 3),
    ]);
    expect(snapshot.countByTopology('pods', podsIn('zone'))).toEqual(
      new Map([['zone', new Map([['x', 3]])]]),
    );
    expect(snapshot.countByTopology('none', podsIn('constructor'))).toEqual(new Map());
  });

  test('evaluate only nodes that have changed', () => {
    const [a, b] = [nodeInfo('a', { zone: 'x' }, 1), nodeInfo('b', { zone: 'x' }, 1)];
    const asked: string[] = [];
    const counting = (info: NodeInfo): Share[] => {
      asked.push(info.name);
      return podsIn('zone')(info);
    };
    const first = new Snapshot([a, b]);
    first.countByTopology('pods', counting);
    const second = new Snapshot([a, b.withPod(pod())], { previous: first, namespaces: first.namespaces });
    asked.length = 0;
    expect(second.countByTopology('pods', counting).get('zone')?.get('x')).toBe(3);
    // Once for the old state and once for the new state.
    expect(asked).toEqual(['b', 'b']);
    asked.length = 0;
    const third = new Snapshot([a, b], { previous: second, namespaces: new Map() });
    expect(third.countByTopology('pods', counting).get('zone')?.get('x')).toBe(2);
    expect(asked, 'labels of namespaces count, too').toEqual(['a', 'b']);
  });

  test('equal a full recount after any change, and never change once returned', () => {
    const clusters = fc.array(
      fc.array(fc.tuple(fc.constantFrom('x', 'y', undefined), fc.nat(2)), { maxLength: 4 }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(clusters, (states) => {
        const handedOut: { readonly counts: TopologyCounts; readonly copy: TopologyCounts }[] = [];
        let previous: Snapshot | undefined;
        for (const state of states) {
          const infos = state.map(([zone, pods], i) =>
            nodeInfo(`n${i}`, zone === undefined ? {} : { zone }, pods),
          );
          previous = new Snapshot(infos, { ...(previous && { previous, namespaces: previous.namespaces }) });
          const counts = previous.countByTopology('pods', podsIn('zone'));
          expect(counts).toEqual(new Snapshot(infos).countByTopology('pods', podsIn('zone')));
          handedOut.push({ counts, copy: structuredClone(counts) });
        }
        for (const { counts, copy } of handedOut) expect(counts).toEqual(copy);
      }),
    );
  });
});

function podsIn(topologyKey: string): (info: NodeInfo) => Share[] {
  return ({ pods }) => [[topologyKey, pods.length]];
}

let made = 0;

function pod(): Pod {
  return {
    metadata: { name: 'p', uid: String(made++) },
    spec: { containers: [] },
    status: {},
  } as unknown as Pod;
}

function nodeInfo(name: string, labels: Readonly<Record<string, string>>, pods: number): NodeInfo {
  const node = { metadata: { name, labels }, spec: {}, status: {} } as unknown as Node;
  return NodeInfo.of(node, Array.from({ length: pods }, pod));
}
