import { describe, expect, test } from 'vitest';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod } from '../../laws/scheduling/index.ts';
import { podInfoOf } from '../framework/index.ts';
import {
  countPodsMatchSelector,
  nodeSelectorTermMatcher,
  requiredNodeAffinityMatcher,
  termMatches,
  toleratesTaint,
} from './matching.ts';

const WEB = { app: 'web' };

describe('A toleration and a taint', () => {
  const taint = { key: 'a', value: '1', effect: 'NoSchedule' };
  test.each([
    ['of the same key, value and effect', { key: 'a', value: '1', effect: 'NoSchedule' }, true],
    ['of any effect', { key: 'a', value: '1' }, true],
    ['of any value', { key: 'a', operator: 'Exists' }, true],
    ['of any key', { operator: 'Exists' }, true],
    ['of another value', { key: 'a', value: '2' }, false],
    ['of another key', { key: 'b', operator: 'Exists' }, false],
    ['of another effect', { key: 'a', operator: 'Exists', effect: 'NoExecute' }, false],
    ['that compares numbers, with the gate off', { key: 'a', operator: 'Gt', value: '0' }, false],
  ])('match as expected: a toleration %s', (_, toleration, tolerates) => {
    expect(toleratesTaint(toleration, taint)).toBe(tolerates);
  });
});

describe('A node and the node affinity of a pod', () => {
  const node = aSchedulingNode('n', { labels: { disk: 'ssd', cores: '8' } });
  const expression = (key: string, operator: string, ...values: string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });
  test.each([
    ['In', expression('disk', 'In', 'ssd', 'hdd'), true],
    ['NotIn', expression('disk', 'NotIn', 'ssd'), false],
    ['Exists', expression('disk', 'Exists'), true],
    ['DoesNotExist', expression('disk', 'DoesNotExist'), false],
    ['Gt', expression('cores', 'Gt', '7'), true],
    ['Lt', expression('cores', 'Lt', '8'), false],
    ['a field', { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }, true],
    ['an operator that does not exist', expression('disk', 'Like', 'ssd'), false],
    ['no expression', {}, false],
  ])('match as expected by a term: %s', (_, term, matches) => {
    expect(nodeSelectorTermMatcher(term)(node)).toBe(matches);
  });

  test('match if both the selector and the required affinity match', () => {
    const matches = (spec: Partial<Pod['spec']>) =>
      requiredNodeAffinityMatcher(aSchedulingPod({ spec }))(node);
    const required = (...nodeSelectorTerms: object[]) => ({
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    });
    expect(matches({})).toBe(true);
    expect(matches({ nodeSelector: { disk: 'ssd' } })).toBe(true);
    expect(matches({ nodeSelector: { disk: 'hdd' } })).toBe(false);
    expect(matches({ affinity: required({}, expression('disk', 'Exists')) })).toBe(true);
    expect(matches({ affinity: required(expression('gpu', 'Exists')) })).toBe(false);
    expect(matches({ nodeSelector: { disk: 'hdd' }, affinity: required(expression('disk', 'Exists')) })).toBe(
      false,
    );
  });
});

test('A term matches pods with its labels in its namespaces', () => {
  const speaks = (term: object, other: Pod) => {
    const affinity = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'zone', labelSelector: { matchLabels: WEB }, ...term },
        ],
      },
    };
    const [read] = podInfoOf(aSchedulingPod({ spec: { affinity } })).requiredAffinityTerms;
    if (!read) throw new Error('The required term of the pod was not parsed.');
    return termMatches(read, other, new Map([['shop', { team: 'shop' }]]));
  };
  const web = aSchedulingPod({ labels: WEB });
  const inShop = aSchedulingPod({ labels: WEB, namespace: 'shop' });
  expect([speaks({}, web), speaks({}, inShop), speaks({}, aSchedulingPod())]).toEqual([true, false, false]);
  expect([speaks({ namespaces: ['shop'] }, web), speaks({ namespaces: ['shop'] }, inShop)]).toEqual([
    false,
    true,
  ]);
  const namespaceSelector = { matchLabels: { team: 'shop' } };
  expect([speaks({ namespaceSelector }, web), speaks({ namespaceSelector }, inShop)]).toEqual([false, true]);
});

describe('The pods that a constraint counts', () => {
  const all = [
    aSchedulingPod({ labels: WEB }),
    aSchedulingPod({ labels: { ...WEB, tier: 'front' } }),
    aSchedulingPod({ labels: { app: 'db' } }),
    aSchedulingPod({ labels: WEB, namespace: 'shop' }),
    aSchedulingPod({ labels: WEB, deleted: true }),
    aSchedulingPod(),
  ].map(podInfoOf);

  test('match the selector, are in the namespace, and are not being deleted', () => {
    const selector = labelSelectorAsSelector({ matchLabels: WEB });
    expect(countPodsMatchSelector(all, selector, 'default')).toBe(2);
    expect(countPodsMatchSelector(all, selector, 'shop')).toBe(1);
    expect(countPodsMatchSelector([], selector, 'default')).toBe(0);
  });

  test('are none if the selector is empty or absent', () => {
    for (const selector of [{}, undefined]) {
      expect(countPodsMatchSelector(all, labelSelectorAsSelector(selector), 'default')).toBe(0);
    }
    const absent = { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] };
    expect(countPodsMatchSelector(all, labelSelectorAsSelector(absent), 'default')).toBe(1);
  });
});
